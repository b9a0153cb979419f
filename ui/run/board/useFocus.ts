import { type FocusEvent, type RefObject, useCallback, useEffect, useState } from 'react'
import type { Layout } from './layout.ts'

type Focus = {
  /** The stack that has the focus. */
  focused: string | undefined
  /** The one that the tab key stops at. */
  current: string | undefined
  focus(key: string): void
  focusProps: { onFocus(event: FocusEvent): void; onBlur(): void }
}

/** The one stop for the tab key: the stack that had the focus last, else the selected one, else the first. */
export const useFocus = (frame: RefObject<HTMLElement | null>, selected: string | undefined, layout: Layout): Focus => {
  const [focused, setFocused] = useState<string>()
  const [last, setLast] = useState<string>()
  const [wanted, setWanted] = useState<string>()
  const known = [wanted, last, selected].find((key) => key !== undefined && layout.places.has(key))
  useEffect(() => {
    if (wanted === undefined) return
    // it is drawn by now, wherever it is
    const element = frame.current?.querySelector<HTMLElement>(`[data-stack="${CSS.escape(wanted)}"]`)
    element?.focus({ preventScroll: true })
    element?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    setWanted(undefined)
  }, [wanted, frame])
  return {
    focused,
    current: known ?? layout.waves[0]?.places[0]?.key,
    focus: useCallback((key: string) => setWanted(key), []),
    focusProps: {
      onFocus: ({ target }) => {
        const key = target.closest<HTMLElement>('[data-stack]')?.dataset.stack
        setFocused(key)
        setLast(key)
      },
      onBlur: () => setFocused(undefined),
    },
  }
}
