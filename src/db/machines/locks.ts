import { z } from 'zod'
import { type HeldState, heldStates } from '#domain/lock-state.ts'
import { iso } from '../moment.ts'
import { type FragmentSqlToken, nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository, ofRun, ofRuns, ofStacks, type TenantTx } from '../tenant.ts'
import { type SnapshotColumns, snapshotColumns } from './snapshot-columns.ts'

const LockRow = z.object({
  stack_id: z.string(),
  stack_key: z.string(),
  repo_id: z.number(),
  /** owner/name. */
  repo: z.string(),
  installation_id: z.number(),
  state: z.enum(['free', ...heldStates]),
  run_id: z.string().nullable(),
  pr_number: z.number().nullable(),
  taken_at: z.date().nullable(),
  fence: z.number(),
  ...snapshotColumns,
})

/** The lock of a stack: one row a stack that was ever locked. */
export type LockRow = z.infer<typeof LockRow>

const columns = sql.fragment`
  l.stack_id, s.key as stack_key, s.repo_id, p.full_name as repo, p.installation_id, l.state, l.run_id, l.pr_number, l.taken_at, l.fence,
  l.snapshot, l.version, l.seq`

const from = sql.fragment`
  from locks l join stacks s on s.installation_id = l.installation_id and s.id = l.stack_id join repositories p on p.id = s.repo_id`

/** Of a lock `l`: it is held. Tests the run too, since the indexes of held locks cover only locks that have one. */
export const isHeld = (l: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`(${l}.run_id is not null and ${l}.state <> 'free')`

/** Locks rows in the order of stack ids, after their runs: the same order everywhere. */
export const lockLocks = (tx: Tx, stackIds: string[]): Promise<readonly LockRow[]> =>
  tx.any(sql.type(LockRow)`
    select ${columns} ${from} where l.installation_id ${ofStacks(tx, stackIds)} and l.stack_id = any(${sql.array(stackIds, 'uuid')})
    order by l.stack_id for no key update of l`)

const StackIdRow = z.object({ stack_id: z.string() })

/** The ids of the locks that runs hold in one of these states. */
export const locksOfRuns = async (tx: Tx, runIds: string[], states: readonly HeldState[]): Promise<string[]> => {
  const rows = await tx.any(sql.type(StackIdRow)`
    select stack_id from locks
    where installation_id ${ofRuns(tx, runIds)} and run_id = any(${sql.array(runIds, 'uuid')})
      and state = any(${sql.array([...states], 'text')})`)
  return rows.map(({ stack_id }) => stack_id)
}

/** Adds the rows of stacks that were never locked before; returns the ids of those it added. */
export const addLocks = async (
  tx: TenantTx,
  stackIds: string[],
  initial: SnapshotColumns & { state: string },
): Promise<string[]> => {
  const rows = await tx.any(sql.type(StackIdRow)`
    insert into locks (installation_id, stack_id, repo_id, state, snapshot, version, seq)
    select installation_id, id, repo_id, ${initial.state}, ${JSON.stringify(initial.snapshot)}::jsonb, ${initial.version}, ${initial.seq}
    from stacks where installation_id = ${tx.installationId} and id = any(${sql.array(stackIds, 'uuid')}) order by id
    on conflict (installation_id, stack_id) do nothing
    returning stack_id`)
  return rows.map((row) => row.stack_id)
}

export type LockChange = SnapshotColumns & {
  stack_id: string
  state: string
  run_id: string | null
  pr_number: number | null
  taken_at: Date | null
  fence: number
}

export const saveLocks = async (tx: TenantTx, rows: LockChange[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.query(sql.type(nothing)`
    update locks l set state = t.state, run_id = t.run_id, pr_number = t.pr_number, taken_at = t.taken_at,
      fence = t.fence, snapshot = t.snapshot, version = t.version, seq = t.seq
    from ${sql.unnest(
      rows.map((row) => [
        row.stack_id,
        row.state,
        row.run_id,
        row.pr_number,
        iso(row.taken_at),
        row.fence,
        JSON.stringify(row.snapshot),
        row.version,
        row.seq,
      ]),
      ['uuid', 'text', 'uuid', 'int4', 'timestamptz', 'int8', 'jsonb', 'int4', 'int4'],
    )} as t(stack_id, state, run_id, pr_number, taken_at, fence, snapshot, version, seq)
    where l.installation_id = ${tx.installationId} and l.stack_id = t.stack_id`)
}

const HeldByRow = z.object({ key: z.string(), run_id: z.string(), pr_number: z.number().nullable() })

/** By stack key. */
export type HeldByOthers = ReadonlyMap<string, { run_id: string; pr_number?: number }>

/**
 * Locks on stacks of a repository that another holder than this pull request has. Planned while there was no stack yet, the statement looked
 * through all of them for each key, 3 s for 6,000; with all keys at once it looks through them once.
 */
export const locksOfOthers = async (
  db: Reader,
  repoId: number,
  prNumber: number | null,
  keys: string[],
): Promise<HeldByOthers> => {
  const rows = await db.any(sql.type(HeldByRow)`
    select s.key, l.run_id, l.pr_number from stacks s
    cross join lateral (
      select run_id, pr_number from locks l where l.installation_id = s.installation_id and l.stack_id = s.id and ${isHeld(sql.fragment`l`)}
        and l.pr_number is distinct from ${prNumber}::integer limit 1) l
    where s.installation_id = ${ofRepository(db, repoId)} and s.repo_id = ${repoId} and s.key = any(${sql.array(keys, 'text')})`)
  return new Map(
    rows.map((row) => [
      row.key,
      { run_id: row.run_id, ...(row.pr_number === null ? {} : { pr_number: row.pr_number }) },
    ]),
  )
}

const StackIdFenceRow = z.object({ stack_id: z.string(), fence: z.number() })

/** The fence of each lock that a run holds, by stack id. */
export const fencesOfRun = async (tx: Tx, runId: string): Promise<Map<string, number>> => {
  const rows = await tx.any(sql.type(StackIdFenceRow)`
    select stack_id, fence from locks where installation_id = ${ofRun(tx, runId)} and run_id = ${runId}`)
  return new Map(rows.map((row) => [row.stack_id, row.fence]))
}

const HeldLock = z.object({
  stack_id: z.string(),
  stack_key: z.string(),
  run_id: z.string(),
  pr_number: z.number().nullable(),
  taken_at: z.date().nullable(),
})

/** A held lock; without a pull request, a manual run holds it. */
export type HeldLock = z.infer<typeof HeldLock>

/** Every lock held on these stacks of a repository, whatever the holder, by stack key. */
export const locksOnStacks = (db: Reader, repoId: number, keys: readonly string[]): Promise<readonly HeldLock[]> =>
  db.any(sql.type(HeldLock)`
    select l.stack_id, s.key as stack_key, l.run_id, l.pr_number, l.taken_at
    from locks l join stacks s on s.installation_id = l.installation_id and s.id = l.stack_id
    where s.installation_id = ${ofRepository(db, repoId)} and s.repo_id = ${repoId} and ${isHeld(sql.fragment`l`)}
      and s.key = any(${sql.array([...keys], 'text')})
    order by s.key`)

const HeldRow = z.object({ held: z.number() })

/** How many stacks are locked now. */
export const countHeldLocks = async (db: Reader): Promise<number> => {
  const { held } = await db.one(sql.type(HeldRow)`
    select count(*) as held from locks where run_id is not null`)
  return held
}
