import type { Dispatch } from '../../api/dispatches.ts'
import { readMachine } from '../../api/machines.ts'
import type { RunRow } from '../../api/run-types.ts'
import type { RunHead } from '../../live/run-store.ts'
import { useLive } from '../../live/useLive.ts'
import { Time } from '../../parts/text/Time.tsx'
import { durationWords } from '../../parts/time-words.ts'
import { capital, many } from '../../parts/words.ts'
import type { Axis } from './axis.ts'
import { type Deadline, dispatchName } from './bars.ts'

type FootProps = {
  run: RunHead
  rows: readonly RunRow[]
  /** Undefined until they are read. */
  dispatches: readonly Dispatch[] | undefined
  deadlines: readonly Deadline[]
  axis: Axis
}

/** What runs out when, where nothing does, and what of the time is not drawn. */
export const Foot = ({ run, rows, dispatches, deadlines, axis }: FootProps) => {
  const idle = axis.pieces.filter(({ is }) => is === 'idle')
  const folded = idle.reduce((sum, { from, to }) => sum + to - from, 0)
  return (
    <footer className="chart-foot quiet small">
      {deadlines.map(({ at, of, words }) => (
        <p key={`${of.id} ${words}`}>
          {capital(dispatchName(of))} is {words} at <Time at={new Date(at).toISOString()} as="moment" />
          {words === 'given up' ? ', unless a workflow run picks it up before.' : '.'}
        </p>
      ))}
      {dispatches && deadlines.length === 0 && run.finished_at === undefined && (
        <p>{withoutDeadline(run, dispatches)}</p>
      )}
      <NextReminder run={run} rows={rows} />
      {folded > 0 && (
        <p>
          {durationWords(folded)} in which nothing moved {idle.length === 1 ? 'are' : 'are, in all,'} folded.
        </p>
      )}
    </footer>
  )
}

const withoutDeadline = ({ mode }: RunHead, dispatches: readonly Dispatch[]): string => {
  const bound = dispatches.filter(({ state }) => state === 'bound')
  if (bound.length > 0) {
    const which = bound.length === 1 && bound[0] ? `${dispatchName(bound[0])} is` : `${bound.length} dispatches are`
    return `No deadline runs: ${which} picked up, and the end of a job is reported, or read from the code host each minute.`
  }
  return mode === 'plan' && dispatches.length === 0
    ? 'No deadline runs: the jobs are those of the pull request’s own workflow.'
    : 'No deadline runs.'
}

/** The timer that fires next where no dispatch has one: a lock's, which reminds its holder. */
const NextReminder = ({ run, rows }: { run: RunHead; rows: readonly RunRow[] }) => {
  const held = rows.filter(({ lock }) => lock?.run_id === run.id)
  const first = held[0]?.stack_id
  const { data } = useLive({
    key: ['machine', 'lock', first ?? ''],
    read: (signal) => readMachine({ kind: 'lock', id: first ?? '' }, signal),
    pace: 'over',
    enabled: first !== undefined,
  })
  const due = data?.timers.find(({ name }) => name === 'reminder')?.due_at
  if (due === undefined) return null
  return (
    <p>
      The next reminder of {many(held.length, 'lock')} that it holds is due <Time at={due} as="moment" />.
    </p>
  )
}
