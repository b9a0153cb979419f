import type { Dispatch } from '../../api/dispatches.ts'
import type { TimelineEntry } from '../../api/timeline.ts'
import type { RunHead } from '../../live/run-store.ts'
import { many } from '../../parts/words.ts'
import { type Bar, type Mark, marksOf, stops } from './bars.ts'

/** A line of the chart: the head of a wave, a dispatch, or a stack. */
export type Lane =
  | { is: 'wave'; wave: number; words: string }
  | { is: 'dispatch'; dispatch: Dispatch; marks: readonly Mark[] }
  | { is: 'stack'; bar: Bar }

/** `Wave 2 · 1 of 4 still running`; the words are those of the board. */
const waveWords = (wave: number, bars: readonly Bar[], isOver: boolean, isStopped: boolean): string => {
  const count = (...statuses: Bar['status'][]): number => bars.filter(({ status }) => statuses.includes(status)).length
  const running = count('planning', 'applying')
  if (running > 0) return `Wave ${wave + 1} · ${running} of ${bars.length} still running`
  const never = count('blocked', 'skipped', 'superseded')
  if (never + count('pending') === bars.length) {
    if (isOver) return `Wave ${wave + 1} · did not start`
    return `Wave ${wave + 1} · ${isStopped ? 'does not start' : 'has not begun'}`
  }
  return `Wave ${wave + 1} · done, ${many(bars.length, 'stack')}`
}

/** Wave by wave: its dispatches, then its stacks. */
export const lanesOf = (
  run: Pick<RunHead, 'finished_at'>,
  bars: readonly Bar[],
  dispatches: readonly Dispatch[],
  entries: readonly TimelineEntry[],
): Lane[] => {
  const refusals = Map.groupBy(
    entries.filter(({ kind, event }) => kind === 'dispatch' && event.type === 'dispatch.refused'),
    ({ id }) => id,
  )
  const byWave = Map.groupBy(bars, ({ wave }) => wave)
  const [isOver, isStopped] = [run.finished_at !== undefined, stops(bars)]
  return [...byWave].flatMap(([wave, some]): Lane[] => [
    { is: 'wave', wave, words: waveWords(wave, some, isOver, isStopped) },
    ...dispatches
      .filter((dispatch) => dispatch.wave === wave)
      .map((dispatch): Lane => {
        const at = (refusals.get(dispatch.id) ?? []).map((entry) => Date.parse(entry.at))
        return { is: 'dispatch', dispatch, marks: marksOf(dispatch, at) }
      }),
    ...some.map((bar): Lane => ({ is: 'stack', bar })),
  ])
}
