import { useState } from 'react'
import { isSameLayout, mayFollow, newIn } from './hold.ts'
import type { Layout } from './layout.ts'

type Held = {
  layout: Layout
  /** How many stacks wait to be shown; undefined where nothing waits. */
  waiting: number | undefined
  follow(): void
}

/** The layout that is shown: the newest, unless that would move what the pointer or the focus is on. */
export const useHeldLayout = (next: Layout, anchors: readonly (string | undefined)[]): Held => {
  const [shown, setShown] = useState(next)
  const isSame = shown === next || isSameLayout(shown, next)
  if (!isSame && mayFollow(shown, next, anchors)) {
    setShown(next)
    return { layout: next, waiting: undefined, follow: () => {} }
  }
  return { layout: shown, waiting: isSame ? undefined : newIn(shown, next), follow: () => setShown(next) }
}
