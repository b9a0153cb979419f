import type { NewJournalRow } from '#db/machines/journal.ts'
import type { ResultRow } from '#db/machines/results.ts'
import type { AuditRow } from '#db/people/audit.ts'
import type { TimerChange } from '#db/queue/timers.ts'
import type { Job } from '#jobs/job.ts'
import { type Kind, type Snapshot, statusOf } from '#machines/index.ts'
import { type ActorOf, timesAfter } from './actor.ts'

/** The state of a machine after what one message did to it, before it is known that the whole message is accepted. */
export type Standing<K extends Kind> = { snapshot: Snapshot<K>; seq: number }

/** Everything one message asks to write. Dropped whole if any part of it is refused. */
export type Draft = Writes & { standings: { [K in Kind]: Map<ActorOf<K>, Standing<K>> } }

/** What is written to the database besides snapshots. */
export type Writes = {
  journal: NewJournalRow[]
  jobs: Job[]
  /** In order: of several for one timer, the last counts. */
  timers: TimerChange[]
  warnings: { runId: string; warning: object }[]
  audit: AuditRow[]
  results: ResultRow[]
}

export const noWrites = (): Writes => ({
  journal: [],
  jobs: [],
  timers: [],
  warnings: [],
  audit: [],
  results: [],
})

export const newDraft = (): Draft => ({
  ...noWrites(),
  standings: { run: new Map(), stack: new Map(), lock: new Map(), dispatch: new Map() },
})

/** The machine as the draft has it so far. */
export const standing = <K extends Kind>({ standings }: Draft, actor: ActorOf<K>): Standing<K> =>
  standings[actor.kind].get(actor) ?? actor

export const stand = <K extends Kind>({ standings }: Draft, actor: ActorOf<K>, to: Standing<K>): void => {
  standings[actor.kind].set(actor, to)
}

const move = <K extends Kind>(standings: Map<ActorOf<K>, Standing<K>>, at: Date): void => {
  for (const [actor, { snapshot, seq }] of standings) {
    Object.assign(actor, timesAfter(actor, actor.snapshot, snapshot, at), { snapshot, seq, dirty: true })
    // who asks later in the same transaction is judged by how things are now
    if ('status' in actor.row) actor.row.status = statusOf(snapshot)
  }
}

/** Makes an accepted draft part of what the transaction writes. */
export const accept = (draft: Draft, writes: Writes, at: Date): void => {
  const { run, stack, lock, dispatch } = draft.standings
  move(run, at)
  move(stack, at)
  move(lock, at)
  move(dispatch, at)
  append(writes.journal, draft.journal)
  append(writes.jobs, draft.jobs)
  append(writes.timers, draft.timers)
  append(writes.warnings, draft.warnings)
  append(writes.audit, draft.audit)
  append(writes.results, draft.results)
}

/** One by one: `push(...more)` fails for a hundred thousand. */
const append = <T>(to: T[], more: readonly T[]): void => {
  for (const one of more) to.push(one)
}
