import { type FocusEvent, useLayoutEffect, useRef } from 'react'

/** What has the focus: a row, with its place among all of them, or something else beside the rows. */
type Held = { element: Element; key?: string | undefined; at?: number }

/**
 * Where the row that has the focus goes, the focus goes to the one that takes its place, or to what the rows were in if none is left. A
 * browser would leave it on nothing, and who uses the keyboard would begin at the top of the page. Props for what the rows are in.
 */
export const useKeptFocus = <E extends HTMLElement>() => {
  const around = useRef<E>(null)
  const held = useRef<Held>(undefined)
  const rows = (): HTMLElement[] => [...(around.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]

  // after each drawing: a row goes with an answer, and a dialog that was opened from one by a key
  useLayoutEffect(() => {
    const lost = held.current
    if (lost === undefined || lost.element.isConnected || document.activeElement !== document.body) return
    const now = rows()
    const same = lost.key === undefined ? undefined : now.find(({ dataset }) => dataset.key === lost.key)
    const next = lost.at === undefined ? undefined : now[Math.min(lost.at, now.length - 1)]
    const to = same ?? next ?? around.current
    to?.focus({ preventScroll: true })
  })

  const onFocus = ({ target }: FocusEvent<E>): void => {
    // a dialog gives the focus back to what it was opened from
    if (target.closest('dialog')) return
    const row = target.closest<HTMLElement>('[data-row]')
    held.current = row ? { element: row, key: row.dataset.key, at: rows().indexOf(row) } : { element: target }
  }
  const onBlur = ({ target, relatedTarget: to }: FocusEvent<E>): void => {
    const isOfDialog = target.closest('dialog') !== null || (to?.closest('dialog') ?? null) !== null
    // another window has it for a while
    const isAway = !document.hasFocus()
    if (!isOfDialog && !isAway) held.current = undefined
  }
  return { ref: around, tabIndex: -1, onFocus, onBlur }
}
