import { z } from 'zod'
import { openPlanStatuses } from '#domain/run-status.ts'
import { runStackPath } from '../machines/run-stack-path.ts'
import { type FragmentSqlToken, jsonRows, literals, nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository, ofRun } from '../tenant.ts'
import { edgesToStacks } from './external-edges.ts'

const Downstream = z.object({ stack_id: z.string(), repo_id: z.number(), installation_id: z.number() })

/** A stack that an apply changed, and a repository with stacks that depend on it. */
export type Downstream = z.infer<typeof Downstream>

/** What an apply run has changed so far that other repositories depend on, and that was not noted for them before. */
export const downstreamsOf = (db: Reader, run: { id: string; repoId: number }): Promise<readonly Downstream[]> => {
  const applied = sql.fragment`
    (select stack_id, key, ${runStackPath(sql.fragment`run_stacks`)} from run_stacks where installation_id = ${ofRun(db, run.id)} and run_id = ${run.id} and status = 'applied')`
  return db.any(sql.type(Downstream)`
    select distinct t.stack_id, d.id as repo_id, d.installation_id from ${edgesToStacks(applied, run.repoId)}
      and not exists (
        select from cross_repo_plans c
        where c.installation_id = d.installation_id and c.upstream_run_id = ${run.id} and c.upstream_stack_id = t.stack_id
          and c.repo_id = d.id)`)
}

/** Notes that repositories are to be planned because of an apply run. Noted once, however often it is called. */
export const wantCrossRepoPlans = async (tx: Tx, runId: string, downstreams: readonly Downstream[]): Promise<void> => {
  await tx.query(sql.type(nothing)`
    insert into cross_repo_plans (installation_id, upstream_run_id, upstream_stack_id, repo_id)
    select r.installation_id, ${runId}, stack_id, repo_id
    from jsonb_to_recordset(${jsonRows(downstreams)}) as t(stack_id uuid, repo_id int8) join repositories r on r.id = t.repo_id
    order by stack_id, repo_id
    on conflict do nothing`)
}

const WantedPlan = z.object({
  upstream_run_id: z.string(),
  upstream_repo_id: z.number(),
  upstream_repo: z.string(),
  stack_id: z.string(),
  key: z.string(),
})

/** A stack of another repository that an apply run changed, and for which the repository was not planned yet. */
export type WantedPlan = z.infer<typeof WantedPlan>

const wantedPlans = (db: Reader, repoId: number): FragmentSqlToken => sql.fragment`
  select c.upstream_run_id, r.id as upstream_repo_id, r.full_name as upstream_repo, c.upstream_stack_id as stack_id, s.key
  from cross_repo_plans c join stacks s on s.id = c.upstream_stack_id join repositories r on r.id = s.repo_id
  where c.installation_id = ${ofRepository(db, repoId)} and c.repo_id = ${repoId} and c.run_id is null order by c.upstream_run_id, s.key`

/** Why a repository is to be planned. */
export const findWantedPlans = (db: Reader, repoId: number): Promise<readonly WantedPlan[]> =>
  db.any(sql.type(WantedPlan)`${wantedPlans(db, repoId)}`)

/** The same, locked: no two runs begin for one apply. */
export const lockWantedPlans = (tx: Tx, repoId: number): Promise<readonly WantedPlan[]> =>
  tx.any(sql.type(WantedPlan)`${wantedPlans(tx, repoId)} for update of c`)

const UpstreamRow = z.object({ upstream: z.string() })

/** How the default-branch graph of a repository spells the upstream repository's stacks that it is to be planned for. */
export const spellingsOf = async (db: Reader, repoId: number, upstreamRepoId: number): Promise<string[]> => {
  const stacks = sql.fragment`
    (select a.key, ${runStackPath(sql.fragment`a`)} from cross_repo_plans c
     join stacks o on o.id = c.upstream_stack_id
     join run_stacks a on a.installation_id = o.installation_id and a.run_id = c.upstream_run_id and a.stack_id = o.id
     where c.installation_id = ${ofRepository(db, repoId)} and c.repo_id = ${repoId} and c.run_id is null
       and o.repo_id = ${upstreamRepoId})`
  const rows = await db.any(sql.type(UpstreamRow)`
    select distinct e.upstream from ${edgesToStacks(stacks, upstreamRepoId)} and d.id = ${repoId} order by 1`)
  return rows.map(({ upstream }) => upstream)
}

/** Notes which run plans a repository for these, or that no run has to. */
export const settleWantedPlans = async (
  tx: Tx,
  repoId: number,
  settled: { plans: readonly WantedPlan[]; runId: string | undefined },
): Promise<void> => {
  const these = sql.fragment`
    jsonb_to_recordset(${jsonRows(settled.plans)}) as t(upstream_run_id uuid, stack_id uuid)
    where c.installation_id = ${ofRepository(tx, repoId)} and c.upstream_run_id = t.upstream_run_id
      and c.upstream_stack_id = t.stack_id and c.repo_id = ${repoId}`
  await tx.query(
    settled.runId === undefined
      ? sql.type(nothing)`delete from cross_repo_plans c using ${these}`
      : sql.type(nothing)`update cross_repo_plans c set run_id = ${settled.runId} from ${these}`,
  )
}

const OpenPlan = z.object({ id: z.string(), created_at: z.date() })

/** The open plan that was caused by applies in other repositories: there is at most one. */
export const findOpenDownstream = async (db: Reader, repoId: number): Promise<z.infer<typeof OpenPlan> | undefined> => {
  const row = await db.maybeOne(sql.type(OpenPlan)`
    select id, created_at from runs
    where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and mode = 'plan' and trigger = 'push'
      and status in ${literals(openPlanStatuses)}
    order by created_at desc limit 1`)
  return row ?? undefined
}
