import { z } from 'zod'
import { portionsOf } from '#portions.ts'
import { type FragmentSqlToken, jsonRows, type Reader, sql, type Tx } from '../sql.ts'

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

export type NewJournalRow = {
  kind: string
  id: string
  /** In whose timeline it is: the run's of a stack or a dispatch, that of the holder of a lock. */
  run_id: string | null
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

/** One row for each transition of any machine; a second row of one (machine, seq) or (machine, event key) is refused. */
export const journalled = (rows: NewJournalRow[]): FragmentSqlToken => sql.fragment`
    insert into journal (kind, id, run_id, seq, event, event_key, actor, cause, state_from, state_to, actions, at)
    select kind, id, run_id, seq, event, event_key, actor, cause, state_from, state_to, actions, at
    from jsonb_to_recordset(${jsonRows(rows)}) as t(kind text, id text, run_id uuid, seq int4, event jsonb, event_key text, actor text,
      cause text, state_from text, state_to text, actions jsonb, at timestamptz)`

export const addJournal = async (tx: Tx, rows: NewJournalRow[]): Promise<void> => {
  for (const portion of portionsOf(rows)) await tx.query(sql.type(z.object({}))`${journalled(portion)}`)
}

/** Which of these keyed events were applied before, as `kind id key`. */
export const knownEvents = async (
  tx: Tx,
  events: { kind: string; id: string; key: string }[],
): Promise<Set<string>> => {
  const rows = await tx.any(sql.type(z.object({ name: z.string() }))`
    select j.kind || ' ' || j.id || ' ' || j.event_key as name from ${sql.unnest(
      events.map((event) => [event.kind, event.id, event.key]),
      ['text', 'text', 'text'],
    )} as t(kind, id, key) join journal j on j.kind = t.kind and j.id = t.id and j.event_key = t.key`)
  return new Set(rows.map((row) => row.name))
}

/** Number of the last journal row of each of these machines: a machine that is made again continues from there. */
export const lastSeqs = async (tx: Tx, kind: string, ids: string[]): Promise<Map<string, number>> => {
  const rows = await tx.any(sql.type(z.object({ id: z.string(), seq: z.number() }))`
    select id, max(seq) as seq from journal where kind = ${kind} and id = any(${sql.array(ids, 'text')}) group by id`)
  return new Map(rows.map((row) => [row.id, row.seq]))
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
    select seq, event, event_key, actor, cause, state_from, state_to, actions, at
    from journal where kind = ${wanted.kind} and id = ${wanted.id}
      ${wanted.before === undefined ? sql.fragment`` : sql.fragment`and seq < ${wanted.before}`}
    order by seq desc limit ${wanted.limit}`)

/** Transitions of a machine from its beginning: those after one of them; -1 for the first. */
export const journalAfter = (
  db: Reader,
  wanted: { kind: string; id: string; after: number; limit: number },
): Promise<readonly JournalRow[]> =>
  db.any(sql.type(JournalRow)`
    select seq, event, event_key, actor, cause, state_from, state_to, actions, at
    from journal where kind = ${wanted.kind} and id = ${wanted.id} and seq > ${wanted.after}
    order by seq limit ${wanted.limit}`)
