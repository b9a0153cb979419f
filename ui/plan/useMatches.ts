import { useState } from 'react'
import { announce } from '../live/Announcements.tsx'
import { firstFrom } from './find.ts'
import type { Plan } from './usePlan.ts'

/** Going from match to match. */
export type Steps = {
  /** The one that was gone to, from 0; undefined before the first. */
  at: number | undefined
  go(by: 1 | -1): void
}

/** Begins at the line that the address names, and goes round at either end. */
export const useMatches = ({ matches, range }: Plan, goToLine: (line: number) => void): Steps => {
  const [gone, setGone] = useState<{ matches: Plan['matches']; at: number }>()
  const at = gone?.matches === matches ? gone.at : undefined
  const go = (by: 1 | -1): void => {
    const count = matches.length
    if (count === 0) return
    const first = firstFrom(matches, (range?.first ?? 1) - 1)
    const next = at === undefined ? (by === 1 ? first : first - 1 + count) % count : (at + by + count) % count
    setGone({ matches, at: next })
    const { line } = matches[next] ?? { line: 0 }
    goToLine(line)
    announce(`Match ${next + 1} of ${count}, line ${line + 1}.`)
  }
  return { at, go }
}
