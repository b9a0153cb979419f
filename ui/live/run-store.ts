import type { Run, RunRow } from '../api/run-types.ts'
import { type Change, merged, type Rows } from './changes.ts'
import { createRowListeners } from './row-listeners.ts'

/** A run without its rows. */
export type RunHead = Omit<Run, 'stacks' | 'since'>

/** What is shown of a run at one moment. */
export type Shown = { run: RunHead | undefined; rows: Rows }

type Watcher = (changes: readonly Change[], before: Shown, after: Shown) => void

/**
 * Locks have no part in a run's `rev`, so a row does not come again when its lock is released. All of the run is read again this
 * often, which brings what is known of them up to date.
 */
const wholeEveryMs = 30_000

/**
 * A run as this page knows it: rows by their keys, with a subscription for each, so 20 changes a second draw 20 cards and not 600.
 * Who subscribed is told once a frame: `schedule` calls back before the next.
 */
export const createRunStore = (schedule: (act: () => void) => void) => {
  let known: Shown = { run: undefined, rows: new Map() }
  let shown = known
  let pending = new Map<string, Change>()
  let isDue = false
  let wholeAt = Number.NEGATIVE_INFINITY
  let answeredAt = 0
  const listeners = createRowListeners()
  const watchers = new Set<Watcher>()

  const flush = (): void => {
    const [before, changes] = [shown, [...pending.values()]]
    isDue = false
    pending = new Map()
    shown = known
    const touched = new Set(changes.map(({ after }) => after.key))
    for (const key of before.rows.keys()) if (!shown.rows.has(key)) touched.add(key)
    listeners.tell(touched)
    for (const watcher of watchers) watcher(changes, before, shown)
  }

  return {
    /** Takes an answer in; answers the run's head as it is known now. An answer older than what is known changes nothing. */
    take: (answer: Run, now: number): RunHead => {
      const { since, ...head } = headOf(answer)
      answeredAt = now
      // empty lists are left out
      const stacks = answer.stacks ?? (since === undefined ? [] : undefined)
      if (known.run && (answer.rev ?? 0) < (known.run.rev ?? 0)) return known.run
      const { rows, changes } = merged(known.rows, { stacks, since })
      if (stacks !== undefined && since === undefined) wholeAt = now
      // what is summed up of the rows is left out where nothing has changed
      const run = head.counts === undefined ? { ...known.run, ...head } : head
      known = { run, rows }
      for (const change of changes) {
        const { key } = change.after
        pending.set(key, { before: pending.has(key) ? pending.get(key)?.before : change.before, after: change.after })
      }
      if (!isDue) {
        isDue = true
        schedule(flush)
      }
      return run
    },
    /** What the next question is asked with: undefined asks for everything. */
    since: (now: number): number | undefined => (now - wholeAt < wholeEveryMs ? known.run?.rev : undefined),
    /** Something was done that changes more than rows say: the next question asks for everything. */
    forget: (): void => {
      wholeAt = Number.NEGATIVE_INFINITY
    },
    shown: (): Shown => shown,
    /** When the service last answered; 0 before it did. */
    answeredAt: (): number => answeredAt,
    row: (key: string): RunRow | undefined => shown.rows.get(key),
    subscribe: listeners.subscribe,
    subscribeRow: listeners.subscribeRow,
    /** Is told what changed with each frame that shows it. */
    watch: (watcher: Watcher): (() => void) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}

const headOf = ({ stacks: _, ...head }: Run): Omit<Run, 'stacks'> => head

export type RunStore = ReturnType<typeof createRunStore>
