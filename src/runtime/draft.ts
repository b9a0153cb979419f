import type { AuditRow } from '#db/audit.ts'
import type { NewJob } from '#db/jobs.ts'
import type { NewJournalRow } from '#db/journal.ts'
import type { ResultRow } from '#db/results.ts'
import type { TimerChange } from '#db/timers.ts'
import type { Snapshot } from '#machines/index.ts'
import { type Actor, nameOf, timesAfter } from './actor.ts'

/** Where a machine stands after what one message did to it, before it is known that the whole message holds. */
export type Standing = { actor: Actor; snapshot: Snapshot; seq: number }

/** Everything one message asks to be written. Thrown away whole when any part of it is refused. */
export type Draft = Writes & { standings: Map<string, Standing> }

/** What goes to the database besides snapshots. */
export type Writes = {
  journal: NewJournalRow[]
  jobs: NewJob[]
  /** In order: of several for one timer the last holds. */
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

export const newDraft = (): Draft => ({ ...noWrites(), standings: new Map() })

/** The machine as the draft has it so far. */
export const standing = <A extends Actor>(draft: Draft, actor: A): Pick<A, 'snapshot' | 'seq'> =>
  // by the actor's name, so that it is a snapshot of its kind
  (draft.standings.get(nameOf(actor.kind, actor.id)) as Pick<A, 'snapshot' | 'seq'> | undefined) ?? actor

export const stand = (draft: Draft, actor: Actor, snapshot: Snapshot, seq: number): void => {
  draft.standings.set(nameOf(actor.kind, actor.id), { actor, snapshot, seq })
}

/** Makes a draft that held part of what the transaction writes. */
export const accept = (draft: Draft, writes: Writes, at: Date): void => {
  for (const { actor, snapshot, seq } of draft.standings.values()) {
    Object.assign(actor, timesAfter(actor, snapshot, at), { snapshot, seq, dirty: true })
  }
  writes.journal.push(...draft.journal)
  writes.jobs.push(...draft.jobs)
  writes.timers.push(...draft.timers)
  writes.warnings.push(...draft.warnings)
  writes.audit.push(...draft.audit)
  writes.results.push(...draft.results)
}
