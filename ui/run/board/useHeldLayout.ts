import { useState } from 'react'
import type { Filter } from '../filter/filter.ts'
import { isSameLayout, mayFollow, newIn } from './hold.ts'
import type { Layout } from './layout.ts'

type Held = {
  layout: Layout
  /** How many stacks wait to be shown; undefined where nothing waits. */
  waiting: number | undefined
  follow(): void
}

/**
 * The layout that is shown: the newest, unless that would move what the pointer or the focus is on. With another `filter` it is another
 * board, and whoever chose it knows.
 */
export const useHeldLayout = (next: Layout, anchors: readonly (string | undefined)[], filter: Filter): Held => {
  const [{ layout: shown, filter: ofShown }, setHeld] = useState({ layout: next, filter })
  const setShown = (layout: Layout): void => setHeld({ layout, filter })
  const isSame = shown === next || isSameLayout(shown, next)
  if ((!isSame && mayFollow(shown, next, anchors)) || filter !== ofShown) {
    setShown(next)
    return { layout: next, waiting: undefined, follow: () => {} }
  }
  return { layout: shown, waiting: isSame ? undefined : newIn(shown, next), follow: () => setShown(next) }
}
