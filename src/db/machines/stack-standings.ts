import { type RunMode, ranStatuses } from '#domain/run-status.ts'
import { type FragmentSqlToken, jsonRows, literals, nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository, ofRun, type Tenant, type TenantTx } from '../tenant.ts'
import { stackRow } from './stack-row.ts'
import { foldStatusCounts } from './status-counts.ts'

/**
 * What some runs made of stacks: their status in the newest of them, and the newest plan and apply among them that a job finished. Told
 * once for all of which it is the same.
 */
export type StandingChange = {
  stack_ids: string[]
  run_id: string
  /** When the run was made: of two runs, the later says how the stack stands, whichever ends first. */
  run_at: Date
  status: string
  plan_run_id: string | null
  plan_at: Date | null
  apply_run_id: string | null
  apply_at: Date | null
  apply_status: string | null
}

/**
 * When the run of a row of `run_stacks` was made, as the runtime says it: its times have no microseconds, and the same run would be
 * older than itself.
 */
const madeAt = (row: FragmentSqlToken): FragmentSqlToken => sql.fragment`date_trunc('milliseconds', ${row}.created_at)`

/** The columns that say of which run a stack's status, its newest plan and its newest apply are, and since when. */
type Stand = { run: string; at: string; besides: readonly string[] }

const newest: Stand = { run: 'run_id', at: 'run_at', besides: ['status'] }
const stands: readonly Stand[] = [
  newest,
  { run: 'plan_run_id', at: 'plan_at', besides: [] },
  { run: 'apply_run_id', at: 'apply_at', besides: ['apply_status'] },
]

/** Whether a change is newer than the row `n`; a tie is a later transition of the same run. */
const isNewer = (change: 't' | 'excluded', { run, at }: Stand): FragmentSqlToken => {
  const [changed, known] = [
    (name: string) => sql.identifier([change, name]),
    (name: string) => sql.identifier(['n', name]),
  ]
  return sql.fragment`(${changed(at)} is not null and (${known(at)} is null
    or (${changed(at)}, ${changed(run)}) >= (${known(at)}, ${known(run)})))`
}

/** Replaces what is older. */
const replaced = sql.join(
  stands.flatMap((stand) =>
    [stand.run, stand.at, ...stand.besides].map(
      (name) => sql.fragment`${sql.identifier([name])} = case when ${isNewer('excluded', stand)}
        then ${sql.identifier(['excluded', name])} else ${sql.identifier(['n', name])} end`,
    ),
  ),
  sql.fragment`, `,
)

/**
 * A stack's row, locked: looked up for each stack, in their order. Whatever Postgres knows of the table, which may be nothing yet, 20,000
 * stacks take 20,000 looks: a join with rows of a statement it once began by the installation alone, and compared each with each.
 */
const lockedOf = (installationId: FragmentSqlToken, stackId: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select * from stack_standings where installation_id = ${installationId} and stack_id = ${stackId} limit 1 for no key update)`

/**
 * Parts of the statement that stores a batch of transitions. The rows are locked before they are compared: those of one stack may
 * be of several runs, in several transactions. So they are taken in the order of stacks, by one statement of a transaction, and late
 * in it: who uploads a graph should keep no result of another run waiting.
 */
export const standingsChanged = (changes: readonly StandingChange[], { installationId }: Tenant): FragmentSqlToken =>
  standingsChangedBy(
    sql.fragment`
    (select stack_id, run_id, run_at, status, plan_run_id, plan_at, apply_run_id, apply_at, apply_status
      from jsonb_to_recordset(${jsonRows(changes)}) as c(stack_ids uuid[], run_id uuid, run_at timestamptz, status text,
        plan_run_id uuid, plan_at timestamptz, apply_run_id uuid, apply_at timestamptz, apply_status text)
      cross join lateral unnest(stack_ids) as stack_id) t`,
    lockedOf(sql.fragment`${installationId}`, sql.fragment`t.stack_id`),
  )

/** Counts the stacks that change from `status_before` to `status`, of rows that are named so. */
const countedOf = (rows: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  insert into stack_count_changes (installation_id, repo_id, status, change)
  select b.installation_id, b.repo_id, c.status, sum(c.change) from (select b.* from ${rows}) b
  cross join lateral (values (b.status_before, -1), (b.status, 1)) as c(status, change)
  where b.listed and b.status is distinct from b.status_before and c.status is not null
  group by b.installation_id, b.repo_id, c.status having sum(c.change) <> 0`

const columns = sql.fragment`installation_id, stack_id, repo_id, listed, status, run_id, run_at, plan_run_id, plan_at, apply_run_id, apply_at, apply_status`

/** Each row is there, or is to be added: an update would be a join. `known` is how the stack of a change `t` stands, or is about to. */
const standingsChangedBy = (changes: FragmentSqlToken, known: FragmentSqlToken): FragmentSqlToken => sql.fragment`
    standings_before as (
      select t.*, n.installation_id, n.repo_id, n.status as status_before, n.listed, ${isNewer('t', newest)} as is_newest
      from (select * from ${changes} order by stack_id) t
      cross join lateral ${known} n
    ), standings_changed as (
      insert into stack_standings as n (${columns})
      select ${columns} from standings_before
      on conflict (installation_id, stack_id) do update set ${replaced}
    ), stacks_counted as (${countedOf(sql.fragment`standings_before b where b.is_newest`)})`

/** The same of a stack that may be new: `addListedStacks` does not say how it stands. */
const lockedOrNew = (installationId: FragmentSqlToken, stackId: FragmentSqlToken): FragmentSqlToken => sql.fragment`(
  select s.installation_id, s.repo_id, coalesce(k.listed, s.listed) as listed, k.status, k.run_id, k.run_at
  from ${stackRow(installationId, stackId)} s left join lateral ${lockedOf(installationId, stackId)} k on true)`

/** Notes the rows of a run as they were just stored: no transition has said, nor will soon of an apply's later waves, how they stand. */
export const noteNewRows = async (tx: TenantTx, runId: string): Promise<void> => {
  const owner = sql.fragment`${tx.installationId}`
  const rows = sql.fragment`(
    select x.stack_id, x.run_id, ${madeAt(sql.fragment`x`)} as run_at, x.status, null::uuid as plan_run_id,
      null::timestamptz as plan_at, null::uuid as apply_run_id, null::timestamptz as apply_at, null as apply_status
    from run_stacks x where x.installation_id = ${owner} and x.run_id = ${runId}) t`
  const known = lockedOrNew(owner, sql.fragment`t.stack_id`)
  await tx.query(sql.type(nothing)`with ${standingsChangedBy(rows, known)} select from standings_before limit 0`)
}

/**
 * The newest row of a stack `s` in another run, archived or not. While a month is archived its rows are in both: that of the run itself is
 * the one that may have changed since.
 */
const newestOf = (mode: RunMode, besides: string, which = sql.fragment`true`): FragmentSqlToken => {
  const newestIn = (rows: FragmentSqlToken, place: number) => sql.fragment`(
    select x.run_id, x.status, x.created_at, ${place}::int4 as place from ${rows} x
    where x.installation_id = s.installation_id and x.stack_id = s.stack_id and x.mode = ${mode} and x.run_id <> ${besides} and ${which}
    order by x.created_at desc, x.run_id desc limit 1)`
  return sql.fragment`(
    select * from (${newestIn(sql.fragment`run_stacks`, 0)} union all ${newestIn(sql.fragment`archived_stacks`, 1)}) b
    order by created_at desc, run_id desc, place limit 1)`
}

const ranOf = (mode: 'plan' | 'apply', besides: string): FragmentSqlToken => sql.fragment`(
  select x.run_id, x.status, ${madeAt(sql.fragment`x`)} as made_at
  from ${newestOf(mode, besides, sql.fragment`x.status in ${literals(ranStatuses)}`)} x)`

/** Looks again how stacks stand without a run whose rows are about to go, before it is resolved again. */
export const standWithout = async (tx: Tx, runId: string): Promise<void> => {
  await tx.query(sql.type(nothing)`
    with standings_before as (
      select n.* from (
        select installation_id, stack_id, run_id from run_stacks
        where installation_id = ${ofRun(tx, runId)} and run_id = ${runId} order by stack_id) x
      cross join lateral ${lockedOf(sql.fragment`x.installation_id`, sql.fragment`x.stack_id`)} n
      where x.run_id in (n.run_id, n.plan_run_id, n.apply_run_id)
    ), now_newest as (
      select s.installation_id, s.stack_id, s.repo_id, s.listed, s.status as status_before, w.status, w.run_id, w.made_at as run_at,
        p.run_id as plan_run_id, p.made_at as plan_at, a.run_id as apply_run_id, a.made_at as apply_at, a.status as apply_status
      from standings_before s
      left join lateral (
        select status, run_id, ${madeAt(sql.fragment`m`)} as made_at from (
          select * from ${newestOf('plan', runId)} union all select * from ${newestOf('apply', runId)}
          union all select * from ${newestOf('drift', runId)}) m
        order by created_at desc, run_id desc limit 1) w on true
      left join lateral ${ranOf('plan', runId)} p on true
      left join lateral ${ranOf('apply', runId)} a on true
    ), standings_changed as (
      insert into stack_standings (${columns}) select ${columns} from now_newest
      on conflict (installation_id, stack_id) do update set status = excluded.status, run_id = excluded.run_id, run_at = excluded.run_at,
        plan_run_id = excluded.plan_run_id, plan_at = excluded.plan_at, apply_run_id = excluded.apply_run_id,
        apply_at = excluded.apply_at, apply_status = excluded.apply_status
    )
    ${countedOf(sql.fragment`now_newest b`)}`)
}

/**
 * Says of a repository's stacks whether they are listed, where that is not said yet, and counts them. Only those are locked: the row of
 * the repository is, so nobody else says it meanwhile, and results of other runs need not wait.
 */
export const countListed = async (tx: Tx, repoId: number): Promise<void> => {
  await tx.query(sql.type(nothing)`
    with differing as (
      select s.* from (
        select installation_id, id, repo_id, listed from stacks
        where installation_id = ${ofRepository(tx, repoId)} and repo_id = ${repoId} order by id) s
      left join lateral (
        select listed from stack_standings where installation_id = s.installation_id and stack_id = s.id limit 1) n on true
      where n.listed is distinct from s.listed
    ), before as (
      select s.installation_id, s.id as stack_id, s.repo_id, s.listed, n.status from differing s
      left join lateral ${lockedOf(sql.fragment`s.installation_id`, sql.fragment`s.id`)} n on true
    ), changed as (
      insert into stack_standings (installation_id, stack_id, repo_id, listed)
      select installation_id, stack_id, repo_id, listed from before
      on conflict (installation_id, stack_id) do update set listed = excluded.listed)
    insert into stack_count_changes (installation_id, repo_id, status, change)
    select installation_id, ${repoId}, status, sum(case when listed then 1 else -1 end) from before where status is not null
    group by installation_id, status having sum(case when listed then 1 else -1 end) <> 0`)
}

export const foldStackCounts = (db: Reader): Promise<void> =>
  foldStatusCounts(db, { table: 'stack_counts', column: 'stacks', changes: 'stack_count_changes' })
