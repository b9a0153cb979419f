import { z } from 'zod'
import { type RunMode, ranStatuses } from '#domain/run-status.ts'
import { type FragmentSqlToken, jsonRows, literals, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository, ofRun, type Tenant, type TenantTx } from '../tenant.ts'
import { foldStatusCounts } from './status-counts.ts'

/** What some runs made of a stack: its status in the newest of them, and the newest plan and apply among them that a job finished. */
export type StandingChange = {
  stack_id: string
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

const isNewer = (at: FragmentSqlToken, run: FragmentSqlToken, than: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`(t.${at} is not null and (n.${at} is null or (t.${at}, ${run}) >= (n.${at}, ${than})))`

const isNewest = isNewer(sql.fragment`run_at`, sql.fragment`t.run_id`, sql.fragment`n.run_id`)

/** Replaces what is older than the change; a tie is a later transition of the same run. */
const replaced = (mode: 'plan' | 'apply'): FragmentSqlToken => {
  const named = (name: string): FragmentSqlToken => sql.fragment`${sql.identifier([`${mode}_${name}`])}`
  const [run, at] = [named('run_id'), named('at')]
  const newer = isNewer(at, sql.fragment`t.${run}`, sql.fragment`n.${run}`)
  const columns = [run, at, ...(mode === 'apply' ? [named('status')] : [])]
  const set = columns.map(
    (column) => sql.fragment`${column} = case when ${newer} then t.${column} else n.${column} end`,
  )
  return sql.fragment`${sql.join(set, sql.fragment`, `)}`
}

/**
 * Parts of the statement that stores a batch of transitions. The rows are locked before they are compared: those of one stack may
 * be of several runs, in several transactions. So they are taken in the order of stacks, in all statements of one transaction,
 * and late in it: who uploads a graph should keep no result of another run waiting.
 */
export const standingsChanged = (changes: readonly StandingChange[], { installationId }: Tenant): FragmentSqlToken =>
  standingsChangedBy(
    sql.fragment`
    jsonb_to_recordset(${jsonRows(changes)}) as t(stack_id uuid, run_id uuid, run_at timestamptz, status text,
      plan_run_id uuid, plan_at timestamptz, apply_run_id uuid, apply_at timestamptz, apply_status text)`,
    installationId,
  )

/** Counts the stacks that change from `status_before` to `status`, of rows that are named so. */
const countedOf = (rows: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  insert into stack_count_changes (installation_id, repo_id, status, change)
  select b.installation_id, b.repo_id, c.status, sum(c.change) from (select b.* from ${rows}) b
  cross join lateral (values (b.status_before, -1), (b.status, 1)) as c(status, change)
  where b.listed and b.status is distinct from b.status_before and c.status is not null
  group by b.installation_id, b.repo_id, c.status having sum(c.change) <> 0`

const standingsChangedBy = (changes: FragmentSqlToken, installationId: number): FragmentSqlToken => sql.fragment`
    standings_before as (
      select t.*, n.installation_id, n.repo_id, n.status as status_before, n.listed, ${isNewest} as is_newest
      from ${changes} join stack_standings n on n.installation_id = ${installationId} and n.stack_id = t.stack_id
      order by n.stack_id for no key update of n
    ), standings_changed as (
      update stack_standings n set status = case when t.is_newest then t.status else n.status end,
        run_id = case when t.is_newest then t.run_id else n.run_id end,
        run_at = case when t.is_newest then t.run_at else n.run_at end,
        ${replaced('plan')}, ${replaced('apply')}
      from standings_before t where n.installation_id = ${installationId} and n.stack_id = t.stack_id
    ), stacks_counted as (${countedOf(sql.fragment`standings_before b where b.is_newest`)})`

/** Notes the rows of a run as they were just stored: no transition has said, nor will soon of an apply's later waves, how they stand. */
export const noteNewRows = async (tx: TenantTx, runId: string): Promise<void> => {
  const rows = sql.fragment`(
    select x.stack_id, x.run_id, ${madeAt(sql.fragment`x`)} as run_at, x.status, null::uuid as plan_run_id,
      null::timestamptz as plan_at, null::uuid as apply_run_id, null::timestamptz as apply_at, null as apply_status
    from run_stacks x where x.installation_id = ${tx.installationId} and x.run_id = ${runId}) t`
  await tx.query(
    sql.type(z.object({}))`with ${standingsChangedBy(rows, tx.installationId)} select from standings_before limit 0`,
  )
}

/** The newest row of a stack `s` in another run. */
const newestOf = (mode: RunMode, besides: string, which = sql.fragment`true`): FragmentSqlToken => sql.fragment`(
  select x.* from run_stacks x where x.installation_id = s.installation_id and x.stack_id = s.stack_id and x.mode = ${mode}
    and x.run_id <> ${besides} and ${which}
  order by x.created_at desc, x.run_id desc limit 1)`

const ranOf = (mode: 'plan' | 'apply', besides: string): FragmentSqlToken => sql.fragment`(
  select x.run_id, x.status, ${madeAt(sql.fragment`x`)} as made_at
  from ${newestOf(mode, besides, sql.fragment`x.status in ${literals(ranStatuses)}`)} x)`

/** Looks again how stacks stand without a run whose rows are about to go, before it is resolved again. */
export const standWithout = async (tx: Tx, runId: string): Promise<void> => {
  await tx.query(sql.type(z.object({}))`
    with standings_before as (
      select n.* from run_stacks x join stack_standings n on n.installation_id = x.installation_id and n.stack_id = x.stack_id
        and x.run_id in (n.run_id, n.plan_run_id, n.apply_run_id)
      where x.installation_id = ${ofRun(tx, runId)} and x.run_id = ${runId} order by n.stack_id for no key update of n
    ), now_newest as (
      select s.installation_id, s.stack_id, s.repo_id, s.listed, s.status as status_before, w.status, w.run_id, w.made_at,
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
      update stack_standings n set status = t.status, run_id = t.run_id, run_at = t.made_at,
        plan_run_id = t.plan_run_id, plan_at = t.plan_at, apply_run_id = t.apply_run_id, apply_at = t.apply_at, apply_status = t.apply_status
      from now_newest t where n.installation_id = t.installation_id and n.stack_id = t.stack_id
    )
    ${countedOf(sql.fragment`now_newest b`)}`)
}

/** Counts the stacks of a repository that are listed now and were not, or the reverse. */
export const countListed = async (tx: Tx, repoId: number): Promise<void> => {
  const owner = ofRepository(tx, repoId)
  await tx.query(sql.type(z.object({}))`
    with before as (
      select n.installation_id, n.stack_id, n.status, s.listed from stacks s
      join stack_standings n on n.installation_id = s.installation_id and n.stack_id = s.id and n.listed <> s.listed
      where s.installation_id = ${owner} and s.repo_id = ${repoId} order by n.stack_id for no key update of n
    ), changed as (
      update stack_standings n set listed = b.listed from before b
      where n.installation_id = ${owner} and n.stack_id = b.stack_id)
    insert into stack_count_changes (installation_id, repo_id, status, change)
    select installation_id, ${repoId}, status, sum(case when listed then 1 else -1 end) from before where status is not null
    group by installation_id, status having sum(case when listed then 1 else -1 end) <> 0`)
}

export const foldStackCounts = (db: Reader): Promise<void> =>
  foldStatusCounts(db, { table: 'stack_counts', column: 'stacks', changes: 'stack_count_changes' })
