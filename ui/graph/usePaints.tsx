import { type RefObject, useEffect, useState } from 'react'
import { type Standing, standingLook, standings } from '../repository/stacks/standing.ts'
import { StatusIconOf } from '../status/Status.tsx'
import { type Painter, painterOf } from './icon-painter.ts'
import type { Paints } from './scene.ts'

/** Every icon once, hidden, for the canvas to draw after. */
export const Icons = ({ of }: { of: RefObject<HTMLDivElement | null> }) => (
  <div ref={of} hidden>
    {standings.map((standing) => {
      const look = standingLook(standing)
      return (
        <span key={standing} data-standing={standing} data-tone={look?.tone}>
          {look && <StatusIconOf look={look} />}
        </span>
      )
    })}
  </div>
)

/** Where the browser has colours of its own for who needs them, those; whatever is not here is as text. */
const forced: Record<string, string> = {
  ...{ '--raised': 'Canvas', '--selected': 'Canvas', '--line': 'GrayText', '--control': 'GrayText' },
  '--accent': 'Highlight',
}

/** A colour that a style sheet names, as it is in this theme: a canvas knows no names. */
const colourOf = (element: Element, name: string): string => {
  const probe = document.createElement('span')
  const isForced = matchMedia('(forced-colors: active)').matches
  probe.style.color = isForced ? (forced[name] ?? 'CanvasText') : `var(${name})`
  // else it would be the colour of text, whatever it is set to
  probe.style.setProperty('forced-color-adjust', 'none')
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

const read = (icons: HTMLElement): Paints => {
  const colour = (name: string): string => colourOf(icons, name)
  const paper = colour('--raised')
  const tones: Partial<Record<Standing, string>> = {}
  const drawn: Partial<Record<Standing, Painter>> = {}
  for (const standing of standings) {
    const look = standingLook(standing)
    const tone = colour(look ? `--${look.tone}` : '--line')
    const svg = icons.querySelector(`[data-standing="${standing}"] svg`)
    // most are as they should be: from far off those are grey, so that the others stand out
    tones[standing] = look === undefined || look.tone === 'pending' ? colour('--line') : tone
    if (svg) drawn[standing] = painterOf(svg, tone, paper)
  }
  return {
    ...{ paper, text: colour('--text'), quiet: colour('--quiet'), line: colour('--line') },
    ...{ control: colour('--control'), accent: colour('--accent'), selected: colour('--selected') },
    ...{ font: getComputedStyle(document.body).fontFamily, icons: drawn },
    tones: tones as Record<Standing, string>,
  }
}

/** The colours of the theme, read again when it changes. */
export const usePaints = (icons: RefObject<HTMLDivElement | null>): Paints | undefined => {
  const [paints, setPaints] = useState<Paints>()
  useEffect(() => {
    const look = (): void => {
      if (icons.current) setPaints(read(icons.current))
    }
    look()
    const media = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query))
    for (const one of media) one.addEventListener('change', look)
    const watcher = new MutationObserver(look)
    watcher.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    return () => {
      for (const one of media) one.removeEventListener('change', look)
      watcher.disconnect()
    }
  }, [icons])
  return paints
}
