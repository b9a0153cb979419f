import { z } from 'zod'
import { type RunMode, ranStatuses } from '#domain/run-status.ts'
import { type FragmentSqlToken, jsonRows, literals, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository, ofRun, type Tenant, type TenantTx } from '../tenant.ts'
import { runStackRef } from './run-stack-ref.ts'
import { foldStatusCounts } from './status-counts.ts'

/** What some runs made of a stack: its status in the newest of them, and the newest plan and apply among them that a job finished. */
export type StandingChange = {
  stack_id: string
  run_id: string
  /** When the run was made: of two runs, the later says how the stack stands, whichever ends first. */
  run_at: Date
  status: string
  last_plan: object | null
  plan_at: Date | null
  last_apply: object | null
  apply_at: Date | null
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
const replaced = (ref: FragmentSqlToken, at: FragmentSqlToken): FragmentSqlToken => {
  const newer = isNewer(at, sql.fragment`(t.${ref}->>'run_id')::uuid`, sql.fragment`(n.${ref}->>'run_id')::uuid`)
  return sql.fragment`
    ${ref} = case when ${newer} then t.${ref} else n.${ref} end, ${at} = case when ${newer} then t.${at} else n.${at} end`
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
      last_plan jsonb, plan_at timestamptz, last_apply jsonb, apply_at timestamptz)`,
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
        ${replaced(sql.fragment`last_plan`, sql.fragment`plan_at`)},
        ${replaced(sql.fragment`last_apply`, sql.fragment`apply_at`)}
      from standings_before t where n.installation_id = ${installationId} and n.stack_id = t.stack_id
    ), stacks_counted as (${countedOf(sql.fragment`standings_before b where b.is_newest`)})`

/** Notes the rows of a run as they were just stored: no transition has said, nor will soon of an apply's later waves, how they stand. */
export const noteNewRows = async (tx: TenantTx, runId: string): Promise<void> => {
  const rows = sql.fragment`(
    select x.stack_id, x.run_id, ${madeAt(sql.fragment`x`)} as run_at, x.status, null::jsonb as last_plan,
      null::timestamptz as plan_at, null::jsonb as last_apply, null::timestamptz as apply_at
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
  select ${madeAt(sql.fragment`x`)} as made_at, ${runStackRef} as ref
  from ${newestOf(mode, besides, sql.fragment`x.status in ${literals(ranStatuses)}`)} x
  join runs r on r.installation_id = x.installation_id and r.id = x.run_id
  left join results t on t.installation_id = x.installation_id and t.run_id = x.run_id and t.stack_id = x.stack_id)`

/** Looks again how stacks stand without a run whose rows are about to go, before it is resolved again. */
export const standWithout = async (tx: Tx, runId: string): Promise<void> => {
  await tx.query(sql.type(z.object({}))`
    with standings_before as (
      select n.* from run_stacks x join stack_standings n on n.installation_id = x.installation_id and n.stack_id = x.stack_id
        and x.run_id in (n.run_id, (n.last_plan->>'run_id')::uuid, (n.last_apply->>'run_id')::uuid)
      where x.installation_id = ${ofRun(tx, runId)} and x.run_id = ${runId} order by n.stack_id for no key update of n
    ), now_newest as (
      select s.installation_id, s.stack_id, s.repo_id, s.listed, s.status as status_before, w.status, w.run_id, w.made_at,
        p.ref as last_plan, p.made_at as plan_at, a.ref as last_apply, a.made_at as apply_at
      from standings_before s
      left join lateral (
        select status, run_id, ${madeAt(sql.fragment`m`)} as made_at from (
          select * from ${newestOf('plan', runId)} union all select * from ${newestOf('apply', runId)}
          union all select * from ${newestOf('drift', runId)}) m
        order by created_at desc, run_id desc limit 1) w on true
      left join lateral ${ranOf('plan', runId)} p on true
      left join lateral ${ranOf('apply', runId)} a on true
    ), standings_changed as (
      update stack_standings n set status = t.status, run_id = t.run_id, run_at = t.made_at, last_plan = t.last_plan,
        plan_at = t.plan_at, last_apply = t.last_apply, apply_at = t.apply_at
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
