import { z } from 'zod'
import { portionsOf } from '#portions.ts'
import { type FragmentSqlToken, jsonTexts, nothing, type Reader, sql } from '../sql.ts'
import { ofRun, ofStack, type Tenant, type TenantTx } from '../tenant.ts'
import { betweenRuns } from './between-runs.ts'

const JournalRow = z.object({
  seq: z.number(),
  event: z.looseObject({ type: z.string() }),
  event_key: z.string().nullable(),
  actor: z.string(),
  cause: z.string().nullable(),
  state_from: z.string().nullable(),
  state_to: z.string(),
  actions: z.array(z.unknown()),
  at: z.date(),
})

export type JournalRow = z.infer<typeof JournalRow>

type Timeline = {
  kind: string
  /** In whose timeline it is: the run's of a stack or a dispatch, that of the holder of a lock. */
  run_id: string | null
}

/** Whose journal a row is in: a run's own and those of its stacks and dispatches are the run's; a lock's is of its stack alone. */
export type JournalPlace = Timeline & {
  /** The run itself, the stack, or the dispatch. */
  subject_id: string
}

/** A row for each of some machines that made the same transition: told once, since thousands may have. */
export type NewJournalRow = Timeline & {
  subject_ids: string[]
  seq: number
  event: object
  event_key: string | null
  actor: string
  cause: string | null
  state_from: string | null
  state_to: string
  actions: object[]
  at: Date
}

const isOfLock = ({ kind }: { kind: string }): boolean => kind === 'lock'

const columns = sql.fragment`seq, event, event_key, actor, cause, state_from, state_to, actions, at`

const asRecords = (
  rows: NewJournalRow[],
) => sql.fragment`json_to_recordset(${jsonTexts(rows)}) as t(kind text, run_id uuid,
      subject_ids uuid[], seq int4, event json, event_key text, actor text, cause text, state_from text, state_to text, actions json,
      at timestamptz) cross join lateral unnest(subject_ids) as subject_id`

/**
 * One row for each transition of a run, a stack of it or a dispatch; a second row of one (machine, seq) or (machine, event key) is
 * refused. A part of the statement that stores a batch.
 */
export const journalled = (rows: NewJournalRow[], { installationId }: Tenant): FragmentSqlToken => sql.fragment`
    insert into journal (installation_id, kind, run_id, subject_id, ${columns})
    select ${installationId}::int8, kind, run_id, subject_id, ${columns} from ${asRecords(rows)}`

/** The same for locks. */
export const addLockJournal = async (tx: TenantTx, rows: NewJournalRow[]): Promise<void> => {
  for (const portion of portionsOf(rows)) {
    await tx.query(sql.type(nothing)`
      insert into lock_journal (installation_id, stack_id, run_id, ${columns})
      select ${tx.installationId}::int8, subject_id, run_id, ${columns} from ${asRecords(portion)}`)
  }
}

export const addJournal = async (tx: TenantTx, rows: NewJournalRow[]): Promise<void> => {
  for (const portion of portionsOf(rows)) await tx.query(sql.type(nothing)`${journalled(portion, tx)}`)
}

type Keyed = JournalPlace & { name: string; key: string }

/** Which of these keyed events were applied before, by the names given to them. */
export const knownEvents = async (tx: TenantTx, events: Keyed[]): Promise<Set<string>> => {
  const [ofLocks, ofRuns] = [events.filter(isOfLock), events.filter((event) => !isOfLock(event))]
  const known = new Set<string>()
  if (ofRuns.length > 0) {
    for (const { name } of await tx.any(sql.type(Name)`
      select t.name from ${asEvents(ofRuns)}
      join journal j on j.run_id = t.run_id and j.subject_id = t.subject_id and j.event_key = t.key
      where j.installation_id = ${tx.installationId} and ${betweenRuns(
        sql.fragment`j.run_id`,
        ofRuns.flatMap((event) => event.run_id ?? []),
      )}`))
      known.add(name)
  }
  if (ofLocks.length > 0) {
    for (const { name } of await tx.any(sql.type(Name)`
      select t.name from ${asEvents(ofLocks)} join lock_journal j
        on j.installation_id = ${tx.installationId} and j.stack_id = t.subject_id and j.event_key = t.key`))
      known.add(name)
  }
  return known
}

const Name = z.object({ name: z.string() })

const asEvents = (events: Keyed[]): FragmentSqlToken =>
  sql.fragment`${sql.unnest(
    events.map((event) => [event.name, event.run_id, event.subject_id, event.key]),
    ['text', 'uuid', 'uuid', 'text'],
  )} as t(name, run_id, subject_id, key)`

const SubjectIdSeqRow = z.object({ subject_id: z.string(), seq: z.number() })

/** Number of the last journal row of each stack of a run, by stack: one that is made again continues from there. */
export const lastSeqsOfStacks = async (tx: TenantTx, runId: string): Promise<Map<string, number>> => {
  const rows = await tx.any(sql.type(SubjectIdSeqRow)`
    select subject_id, max(seq) as seq from journal
    where installation_id = ${tx.installationId} and run_id = ${runId} and kind = 'stack' group by subject_id`)
  return new Map(rows.map((row) => [row.subject_id, row.seq]))
}

/**
 * The rows of a machine by its name in paths and timers: `run:stack` for a stack's row, else one id. A dispatch's run is asked of
 * its own row, which never changes.
 */
export const journalRowsOf = (db: Reader, { kind, id }: { kind: string; id: string }): FragmentSqlToken => {
  if (kind === 'lock') return sql.fragment`lock_journal where installation_id = ${ofStack(db, id)} and stack_id = ${id}`
  if (kind === 'dispatch')
    return sql.fragment`journal where (installation_id, run_id) = (
      select installation_id, run_id from dispatches where id = ${id}) and subject_id = ${id}`
  const [run = id, subject = run] = id.split(':')
  return sql.fragment`journal where installation_id = ${ofRun(db, run)} and run_id = ${run} and subject_id = ${subject}`
}

/**
 * Transitions of a machine, newest first: those before a given row, or the newest. Two statements: in one for both, `before is
 * null or …` is only a filter once the statement is prepared, and a page far down walks over all newer rows.
 */
export const journalBefore = (
  db: Reader,
  wanted: { kind: string; id: string; before: number | undefined; limit: number },
): Promise<readonly JournalRow[]> =>
  db.any(sql.type(JournalRow)`
    select ${columns} from ${journalRowsOf(db, wanted)}
      ${wanted.before === undefined ? sql.fragment`` : sql.fragment`and seq < ${wanted.before}`}
    order by seq desc limit ${wanted.limit}`)

/** Transitions of a machine from its beginning: those after one of them; -1 for the first. */
export const journalAfter = (
  db: Reader,
  wanted: { kind: string; id: string; after: number; limit: number },
): Promise<readonly JournalRow[]> =>
  db.any(sql.type(JournalRow)`
    select ${columns} from ${journalRowsOf(db, wanted)} and seq > ${wanted.after}
    order by seq limit ${wanted.limit}`)
