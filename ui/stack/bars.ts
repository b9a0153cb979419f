import type { DriftCheck, RunStackRef } from '../api/stacks.ts'
import { durationWords } from '../parts/time-words.ts'
import { many } from '../parts/words.ts'
import { looks, type StatusLook, stackLook, type Tone } from '../status/table.ts'

/** A bar of a picture: its height is a part of the whole, from 0 to 1. */
export type Bar = { id: string; height: number; tone: Tone }

/** No bar is lower than this: a run of a second is there too. */
const lowest = 0.12

const tookOf = ({ started_at: from, finished_at: to }: RunStackRef): number | undefined =>
  from === undefined || to === undefined ? undefined : Math.max(0, Date.parse(to) - Date.parse(from))

export const lookOf = ({ status, mode }: RunStackRef): StatusLook => stackLook(status, mode ?? 'plan')

/** How long a run took with the stack: `38 s`; undefined for one that has not ended, or never began. */
export const tookWords = (run: RunStackRef): string | undefined => {
  const took = tookOf(run)
  return took === undefined ? undefined : durationWords(took)
}

/** The runs, given newest first, as bars with the oldest at the left: as high as they took long, in the colour of their end. */
export const barsOf = (runs: readonly RunStackRef[]): Bar[] => {
  const longest = Math.max(1, ...runs.map((run) => tookOf(run) ?? 0))
  return runs.toReversed().map((run) => ({
    id: run.run_id,
    height: Math.max(lowest, (tookOf(run) ?? 0) / longest),
    tone: lookOf(run).tone,
  }))
}

/** `2 applied, 1 failed`, the most frequent first; and how long they took: the one in the middle, and the longest. */
export const runsInWords = (runs: readonly RunStackRef[]): string => {
  const words = Map.groupBy(runs, (run) => lookOf(run).word)
  const outcomes = [...words]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([word, { length }]) => `${length} ${word}`)
  const times = runs.flatMap((run) => tookOf(run) ?? []).toSorted((a, b) => a - b)
  const middle = times[Math.floor((times.length - 1) / 2)]
  const longest = times.at(-1)
  const took =
    middle === undefined || longest === undefined
      ? ''
      : `. Half of them took up to ${durationWords(middle)}, the longest ${durationWords(longest)}`
  return `${many(runs.length, 'run')}: ${outcomes.join(', ')}${took}.`
}

/** What a check came to; one that found out nothing is neither. */
export type Found = 'drifted' | 'none' | 'nothing'

const foundBy = ({ drifted }: DriftCheck): Found => (drifted === undefined ? 'nothing' : drifted ? 'drifted' : 'none')

const heights: Record<Found, number> = { drifted: 1, nothing: 0.7, none: 0.45 }
const tones: Record<Found, Tone> = { drifted: looks.drifted.tone, nothing: 'failed', none: 'applied' }

/** Checks, given newest first, with the oldest at the left. Drift shows by height as well as by colour. */
export const stripOf = (checks: readonly DriftCheck[]): Bar[] =>
  checks.toReversed().map((check) => ({
    id: `${check.run_id} ${check.checked_at}`,
    height: heights[foundBy(check)],
    tone: tones[foundBy(check)],
  }))

/** `2 checks found drift, 5 found none, 1 came to no end.` */
export const checksInWords = (checks: readonly DriftCheck[]): string => {
  const count = (found: Found): number => checks.filter((check) => foundBy(check) === found).length
  const parts = [
    `${many(count('drifted'), 'check')} found drift`,
    `${count('none')} found none`,
    ...(count('nothing') > 0 ? [`${count('nothing')} found out nothing`] : []),
  ]
  return `${parts.join(', ')}.`
}
