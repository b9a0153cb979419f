import type { KeyboardEvent } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { many } from '../parts/words.ts'
import { countIn, type Match } from './find.ts'
import { type Heights, linesIn, type Placed } from './layout.ts'
import { isWithin, type LineRange } from './line-range.ts'
import type { Section } from './outline.ts'
import { PlanLine } from './PlanLine.tsx'
import { looks } from './sign.ts'
import './plan-lines.css'

type PlanSectionProps = {
  placed: Placed
  lines: readonly string[]
  heights: Heights
  view: { top: number; bottom: number }
  /** What it is called if it is no resource, and what is said of it. */
  name: string
  note: string | undefined
  /** `4 of 7` */
  place: string | undefined
  range: LineRange | undefined
  matches: readonly Match[]
  current: number | undefined
  turn(section: Section, open: boolean): void
}

/** A resource, or what stands around them: its line, which sticks while its text is in view, and of the text what is in view. */
export const PlanSection = (props: PlanSectionProps) => {
  const { placed, lines, heights, view, name, range, matches, current } = props
  const { section, at, isOpen, top, height } = placed
  const drawn = linesIn(placed, heights, view)
  return (
    <div className="plan-section" data-section={at} style={{ top, height }}>
      {heights.head > 0 && <PlanHead {...props} />}
      {isOpen && (
        // biome-ignore lint/a11y/useSemanticElements: a section element would be one more landmark for each resource
        <div
          className="plan-lines"
          role="group"
          aria-label={`${name}, lines ${section.from + 1} to ${section.to}`}
          style={{ paddingTop: (drawn.from - section.from) * heights.line }}
          onKeyDown={moveBetweenLines}
        >
          {lines.slice(drawn.from, drawn.to).map((text, index) => {
            const number = drawn.from + index + 1
            return (
              <PlanLine
                key={number}
                text={text}
                number={number}
                isChosen={isWithin(number, range)}
                isStop={index === 0}
                matches={matches}
                current={current}
              />
            )
          })}
        </div>
      )}
    </div>
  )
}

const PlanHead = ({ placed, name, note, place, matches, turn }: PlanSectionProps) => {
  const { section, isOpen } = placed
  const look = section.kind === 'resource' ? looks[section.does] : undefined
  const hidden = isOpen ? 0 : countIn(matches, section.from, section.to)
  return (
    <h3 className="plan-head">
      <button type="button" aria-expanded={isOpen} onClick={() => turn(section, !isOpen)}>
        <Icon name="down" />
        <span className="plan-sign" data-does={look?.tone} aria-hidden="true">
          {look?.sign}
        </span>
        <span className={look ? 'plan-address' : 'quiet'} data-does={look?.tone}>
          <bdi>{name}</bdi>
        </span>
        <span className="plan-note">
          {look?.word}
          {note !== undefined && (
            <>
              {look && ' · '}
              <span data-does={look?.tone}>{note}</span>
            </>
          )}
        </span>
        {hidden > 0 && <span className="plan-found">{many(hidden, 'match', 'matches')}</span>}
        <span className="plan-place">
          {place !== undefined && <span className="no-phone">{place} · </span>}
          lines {section.from + 1}–{section.to}
        </span>
      </button>
    </h3>
  )
}

/** Arrows go from one line's number to the next; Enter follows its link. */
const moveBetweenLines = (event: KeyboardEvent<HTMLElement>): void => {
  const number = event.target
  if (!(number instanceof HTMLElement) || !number.classList.contains('plan-no')) return
  const line = number.parentElement
  const next =
    event.key === 'ArrowDown'
      ? line?.nextElementSibling
      : event.key === 'ArrowUp'
        ? line?.previousElementSibling
        : undefined
  if (!next) return
  event.preventDefault()
  next.querySelector<HTMLElement>('.plan-no')?.focus()
}
