import { z } from 'zod'
import { openStatuses } from '#domain/run-status.ts'
import { portionRows, portionsByStack } from '#portions.ts'
import { type FragmentSqlToken, jsonRows, literals, nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRun, ofRuns, type Tenant, type TenantTx } from '../tenant.ts'
import { BesideMachine, besideMachine, withLock } from './beside-machine.ts'
import { betweenRuns } from './between-runs.ts'
import { type SnapshotColumns, snapshotColumns } from './snapshot-columns.ts'
import { listed, type Remembered, rememberedColumns, rememberedRow, withSnapshot } from './stack-snapshot.ts'
import { standWithout } from './stack-standings.ts'
import { idByKey, stackOfRun } from './stacks-by-key.ts'

export const RunStackRow = z.object({
  run_id: z.string(),
  stack_id: z.string(),
  key: z.string(),
  wave: z.number(),
  status: z.string(),
  environment: z.string().nullable(),
  plan_output: z.enum(['full', 'summary']),
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
  ...snapshotColumns,
})

/** A stack's row in a run, as the runtime needs it. It has no lock: its run's lock guards it. */
export type RunStackRow = z.infer<typeof RunStackRow>

/** One that a job reports of: it is answered with how the stack stands. */
export type ReportedStackRow = RunStackRow & { beside: BesideMachine }

const columns = sql.fragment`
  s.run_id, s.stack_id, s.key, s.wave, s.status, s.environment, s.plan_output, s.started_at, s.finished_at,
  ${rememberedColumns}, s.version, s.seq`

const StoredRow = RunStackRow.omit({ snapshot: true }).extend(rememberedRow)

/** What stacks of runs are called by, their keys or their ids, and what is read of each. */
type Naming<Row> = {
  name: 'text' | 'uuid'
  row: z.ZodType<Row>
  columns(runIds: readonly string[]): FragmentSqlToken
  joins: FragmentSqlToken
}

const plain = { row: StoredRow.transform(withSnapshot), columns: () => columns, joins: sql.fragment`` }

const naming = {
  id: { name: 'uuid', ...plain },
  key: { name: 'text', ...plain },
  reported: {
    name: 'text',
    row: StoredRow.extend({ beside: BesideMachine }).transform(withSnapshot),
    columns: (runIds) => sql.fragment`${columns}, ${besideMachine(runIds)} as beside`,
    joins: withLock,
  },
} satisfies { id: Naming<RunStackRow>; key: Naming<RunStackRow>; reported: Naming<ReportedStackRow> }

const loadNamed = async <Row extends RunStackRow>(
  tx: Tx,
  naming: Naming<Row>,
  refs: [runId: string, name: string][],
): Promise<readonly Row[]> => {
  const runIds = refs.map(([id]) => id)
  const [runId, ...others] = new Set(runIds)
  if (runId === undefined) return []
  if (others.length === 0) {
    const names = refs.map(([, name]) => name)
    return loadOfOne(tx, naming, { runId, names })
  }
  const { name, row, columns, joins } = naming
  const owners = ofRuns(tx, runIds)
  const [found, id] =
    name === 'uuid'
      ? [sql.fragment``, sql.fragment`t.name`]
      : [
          sql.fragment`cross join lateral (${idByKey(owners, inList(sql.fragment`t.run_id`))} limit 1) n`,
          sql.fragment`n.id`,
        ]
  return tx.any(sql.type(row)`
    select ${columns(runIds)} from ${sql.unnest(refs, ['uuid', name])} as t(run_id, name) ${found}
      cross join lateral (
        select * from run_stacks r where r.installation_id ${owners} and r.run_id = t.run_id and r.stack_id = ${id}
          and ${betweenRuns(sql.fragment`r.run_id`, runIds)} limit 1) s ${joins}`)
}

const inList = (run: FragmentSqlToken) => ({ run, key: sql.fragment`t.name` })

/**
 * Those of one run by its id and a list: joined with a list, a run whose rows the planner has not counted yet may be read whole for
 * each of them, which takes 20 s for 20,000.
 */
const loadOfOne = <Row extends RunStackRow>(
  tx: Tx,
  { name, row, columns, joins }: Naming<Row>,
  { runId, names }: { runId: string; names: string[] },
): Promise<readonly Row[]> => {
  const owner = sql.fragment`= ${ofRun(tx, runId)}`
  const list = sql.array(names, name)
  const ids =
    name === 'uuid'
      ? list
      : sql.fragment`array(select (${idByKey(owner, inList(sql.fragment`${runId}`))}) from unnest(${list}) as t(name))`
  return tx.any(sql.type(row)`
    select ${columns([runId])} from run_stacks s ${joins}
    where s.installation_id ${owner} and s.run_id = ${runId} and s.stack_id = any(${ids})`)
}

type Keyed = { runId: string; key: string }

const byKey = <Row extends RunStackRow>(tx: Tx, naming: Naming<Row>, refs: Keyed[]): Promise<readonly Row[]> =>
  loadNamed(
    tx,
    naming,
    refs.map((ref) => [ref.runId, ref.key]),
  )

export const loadStacksByKey = (tx: Tx, refs: Keyed[]): Promise<readonly RunStackRow[]> => byKey(tx, naming.key, refs)

export const loadReportedStacks = (tx: Tx, refs: Keyed[]): Promise<readonly ReportedStackRow[]> =>
  byKey(tx, naming.reported, refs)

export const loadStacksById = (tx: Tx, refs: { runId: string; stackId: string }[]): Promise<readonly RunStackRow[]> =>
  loadNamed(
    tx,
    naming.id,
    refs.map((ref) => [ref.runId, ref.stackId]),
  )

/** By id. In portions: the rows of one statement are checked together, some 4 µs each. */
export const loadStacksOfRun = (tx: TenantTx, runId: string): AsyncGenerator<readonly RunStackRow[]> =>
  portionsByStack((after) =>
    tx.any(sql.type(naming.id.row)`
      select ${columns} from run_stacks s where s.installation_id = ${tx.installationId} and s.run_id = ${runId}
        and s.stack_id > ${after} order by s.stack_id limit ${portionRows}`),
  )

const CausesRow = z.object({ stack_id: z.string(), key: z.string(), wave: z.number(), via: z.array(z.string()) })

/** Of each stack of a run its wave, and what made it affected. */
export const causesOfRun = async (tx: TenantTx, runId: string): Promise<z.infer<typeof CausesRow>[]> => {
  const all: z.infer<typeof CausesRow>[] = []
  const portions = portionsByStack((after) =>
    tx.any(sql.type(CausesRow)`
      select stack_id, key, wave, ${listed(sql.fragment`via`)} as via from run_stacks
      where installation_id = ${tx.installationId} and run_id = ${runId} and stack_id > ${after}
      order by stack_id limit ${portionRows}`),
  )
  for await (const rows of portions) all.push(...rows)
  return all
}

const StackIdRow = z.object({ stack_id: z.string() })

/** The ids of the first stacks of a run that wait for their jobs, as many as one transaction may settle. */
export const openStackIds = async (tx: Tx, runId: string): Promise<string[]> => {
  const rows = await tx.any(sql.type(StackIdRow)`
    select stack_id from run_stacks
    where installation_id = ${ofRun(tx, runId)} and run_id = ${runId} and status in ${literals(openStatuses)}
    order by stack_id limit ${portionRows}`)
  return rows.map(({ stack_id }) => stack_id)
}

/** The id of the stack with this key in a run. */
export const findRunStackId = async (db: Reader, runId: string, key: string): Promise<string | undefined> =>
  (
    await db.maybeOne(sql.type(StackIdRow)`
      select stack_id from run_stacks
      where installation_id = ${ofRun(db, runId)} and run_id = ${runId} and stack_id = ${stackOfRun(db, { runId, key })}`)
  )?.stack_id

/** What is written of a row's machine after a transition. */
type MachineColumns = Remembered & Omit<SnapshotColumns, 'snapshot'>

export type NewRunStack = MachineColumns & {
  run_id: string
  stack_id: string
  key: string
  /** Null if it is the key, as of most. */
  path: string | null
  instance: string | null
  workspace: string | null
  runs_on: string[] | null
  environment: string | null
  tool: string | null
  tool_version: string | null
  plan_output: string
  wave: number
  reasons: string[]
  via: string[]
  /** The plan run that an apply of the stack uses. */
  plan_run_id: string | null
  status: string
  started_at: Date | null
}

/** Adds rows of a run in one statement. */
export const addRunStacks = async (tx: Tx, rows: NewRunStack[]): Promise<void> => {
  await tx.query(sql.type(nothing)`
    insert into run_stacks (installation_id, run_id, stack_id, mode, created_at, key, path, instance, workspace, runs_on, environment,
      tool, tool_version, plan_output, wave, reasons, via, plan_run_id, status, started_at, fence, digest, blocked_by, lost, version, seq, rev)
    select r.installation_id, run_id, stack_id, r.mode, r.created_at, key, path, instance, workspace, runs_on, environment, tool,
      tool_version, plan_output, wave, reasons, nullif(via, '{}'), plan_run_id, t.status, t.started_at, fence, digest, nullif(blocked_by, '{}'), lost, t.version, t.seq, r.rev
    from jsonb_to_recordset(${jsonRows(rows)}) as t(run_id uuid, stack_id uuid, key text, path text, instance text,
      workspace text, runs_on text[], environment text, tool text, tool_version text, plan_output text, wave int4, reasons text[],
      via text[], plan_run_id uuid, status text, started_at timestamptz, fence int8, digest text, blocked_by text[], lost text,
      version int4, seq int4)
    join runs r on r.installation_id ${ofRuns(
      tx,
      rows.map((row) => row.run_id),
    )} and r.id = run_id`)
}

const RunIdRow = z.object({ run_id: z.string() })

/** Removes the rows of a run, with what was reported of them, before it is resolved again. */
export const removeRunStacks = async (tx: Tx, runId: string): Promise<void> => {
  const owner = ofRun(tx, runId)
  const isResolvedAgain = await tx.exists(sql.type(RunIdRow)`
    select run_id from run_stacks where installation_id = ${owner} and run_id = ${runId} limit 1`)
  if (isResolvedAgain) await standWithout(tx, runId)
  await tx.query(sql.type(nothing)`
    with raised as (update runs set rev = rev + 1 where installation_id = ${owner} and id = ${runId}),
      without_results as (delete from results where installation_id = ${owner} and run_id = ${runId}),
      without_checks as (delete from checks where installation_id = ${owner} and run_id = ${runId})
    delete from run_stacks where installation_id = ${owner} and run_id = ${runId}`)
}

/** What rows of a run have become, told once for all that became the same: a failure may block thousands. */
export type RunStackChange = MachineColumns & {
  run_id: string
  stack_ids: string[]
  status: string
  started_at: Date | null
  finished_at: Date | null
  /** Of the run, with this change. */
  rev: number
}

/** What transitions changed in stack rows, as a part of the statement that stores a batch. */
export const runStacksChanged = (rows: RunStackChange[], { installationId }: Tenant): FragmentSqlToken => sql.fragment`
    update run_stacks s set status = t.status, fence = t.fence, digest = t.digest, blocked_by = nullif(t.blocked_by, '{}'), lost = t.lost,
      version = t.version, seq = t.seq, started_at = t.started_at, finished_at = t.finished_at, rev = t.rev
    from jsonb_to_recordset(${jsonRows(rows)}) as t(run_id uuid, stack_ids uuid[], status text, fence int8, digest text,
      blocked_by text[], lost text, version int4, seq int4, started_at timestamptz, finished_at timestamptz, rev int4)
      cross join lateral unnest(t.stack_ids) as u(stack_id)
    where s.installation_id = ${installationId} and s.stack_id = u.stack_id and ${isOf(rows)}`

/**
 * Of which run the rows `s` are. It says by lists which are meant: joined with the changes alone, all of the run were read
 * for each result, however few the planner took them for. Those of one run are not asked for it, or the planner takes them for one,
 * and looks through the list for each row.
 */
const isOf = (rows: RunStackChange[]): FragmentSqlToken => {
  const runIds = [...new Set(rows.map((row) => row.run_id))]
  const ids = sql.array(
    rows.flatMap((row) => row.stack_ids),
    'uuid',
  )
  const [runId, ...others] = runIds
  if (runId === undefined || others.length > 0)
    return sql.fragment`s.run_id = t.run_id and s.run_id = any(${sql.array(runIds, 'uuid')})
      and s.stack_id = any(${ids}) and ${betweenRuns(sql.fragment`s.run_id`, runIds)}`
  return sql.fragment`s.run_id = ${runId} and s.stack_id = any(${ids})`
}
