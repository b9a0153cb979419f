import type { Dispatch } from '../../api/dispatches.ts'
import type { RunRow } from '../../api/run-types.ts'
import type { RunHead } from '../../live/run-store.ts'
import { durationWords } from '../../parts/time-words.ts'
import { listed } from '../../parts/words.ts'

/** A time that has not ended has no `to`. */
export type Stretch = { from: number; to: number | undefined }

/** A stack over time: `queued` until a workflow run picked it up, `job` until its job reported. */
export type Bar = {
  key: string
  status: RunRow['status']
  wave: number
  queued: Stretch | undefined
  job: Stretch | undefined
  /** What became of it, without what is still counting: `failed after 1 min 52 s`, `blocked by data/database`. */
  note: string
}

const time = (at: string | undefined): number | undefined => (at === undefined ? undefined : Date.parse(at))

const stopping: readonly RunRow['status'][] = ['failed', 'unknown', 'unconfirmed', 'blocked']

/** Whether any of these keeps later waves from starting. */
export const stops = (some: readonly Pick<RunRow, 'status'>[]): boolean =>
  some.some(({ status }) => stopping.includes(status))

/**
 * A bar for each stack, in the order of the rows. When the jobs of one workflow run began each by itself, nobody tells the service:
 * that the first of them came is what is known.
 */
export const barsOf = (run: RunHead, rows: readonly RunRow[], dispatches: readonly Dispatch[]): Bar[] => {
  const byId = new Map(dispatches.map((dispatch) => [dispatch.id, dispatch]))
  const isStopped = stops(rows)
  return rows.map((row) => {
    const dispatch = row.dispatch_id === undefined ? undefined : byId.get(row.dispatch_id)
    const from = time(row.started_at)
    const to = time(row.finished_at)
    const bound = dispatch ? time(dispatch.bound_at) : from
    const begun = from !== undefined && bound !== undefined && (to === undefined || bound < to)
    const start = begun ? Math.max(from, bound) : undefined
    return {
      ...{ key: row.key, status: row.status, wave: row.wave },
      queued: from !== undefined && start !== from ? { from, to: start ?? to } : undefined,
      job: start === undefined ? undefined : { from: start, to },
      note: noteOf(run, row, isStopped),
    }
  })
}

const noteOf = (run: RunHead, row: RunRow, isStopped: boolean): string => {
  const { status, started_at: from, finished_at: to, blocked_by: by = [] } = row
  const took = from !== undefined && to !== undefined ? durationWords(Date.parse(to) - Date.parse(from)) : undefined
  if (status === 'blocked') return by.length === 0 ? 'blocked' : `blocked by ${listed(by, 2)}`
  if (status === 'skipped' || status === 'superseded') return status
  if (status === 'pending')
    return run.finished_at !== undefined ? '' : isStopped ? 'will be skipped' : `waits for wave ${row.wave}`
  if (took === undefined) return ''
  if (status === 'noop') return `${took}, no changes`
  if (status === 'unknown') return `unknown after ${took}`
  return status === 'failed' || status === 'unconfirmed' ? `${status} after ${took}` : took
}

/** `1.2`: the second part of the first wave. */
export const dispatchName = ({ wave, part }: { wave: number; part: number }): string => `dispatch ${wave + 1}.${part}`

export type Mark = { at: number; is: 'sent' | 'bound' | 'completed' | 'lost' | 'refused'; words: string }

/** What became of a dispatch, as moments. `refusals` are those of its journal: each but the last is nowhere else. */
export const marksOf = (dispatch: Dispatch, refusals: readonly number[]): Mark[] => {
  const { state, created_at: made, sent_at: sent, bound_at: bound, ended_at: ended } = dispatch
  const [begun, taken, end] = [Date.parse(sent ?? made), time(bound), time(ended)]
  const marks: Mark[] = refusals.map((at) => ({ at, is: 'refused', words: 'refused' }))
  if (sent !== undefined || refusals.length === 0)
    marks.push({ at: begun, is: 'sent', words: sent === undefined ? 'being sent' : 'sent' })
  if (taken !== undefined)
    marks.push({ at: taken, is: 'bound', words: `picked up after ${durationWords(taken - begun)}` })
  if (end !== undefined) marks.push({ at: end, is: state === 'lost' ? 'lost' : 'completed', words: state })
  return marks.toSorted((a, b) => a.at - b.at)
}

/** A deadline of a dispatch that is still open. */
export type Deadline = { at: number; of: Dispatch; words: string }

export const deadlinesOf = (dispatches: readonly Dispatch[]): Deadline[] =>
  dispatches.flatMap((of) =>
    (of.timers ?? []).map(({ name, due_at }) => ({
      at: Date.parse(due_at),
      of,
      words: name === 'resend' ? 'tried again' : 'given up',
    })),
  )

/** Every time in which something of the run was under way, for the axis. */
export const timesOf = (
  bars: readonly Bar[],
  dispatches: readonly Dispatch[],
  now: number,
): { from: number; to: number }[] => [
  ...bars.flatMap(({ queued, job }) =>
    [queued, job].flatMap((one) => (one ? [{ from: one.from, to: one.to ?? now }] : [])),
  ),
  ...dispatches.map(({ created_at, sent_at, ended_at }) => {
    const from = Date.parse(created_at)
    return { from, to: time(ended_at) ?? time(sent_at) ?? from }
  }),
]
