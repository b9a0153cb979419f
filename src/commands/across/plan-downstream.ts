import { givesWay } from '#commands/dispatches/giving-way.ts'
import { readDefaultConfig } from '#commands/policy/default-config.ts'
import { beginDispatchedPlan, type DispatchedPlan } from '#commands/runs/begin-dispatched-plan.ts'
import { addWarnings, lockRuns } from '#db/machines/runs.ts'
import { addAudit } from '#db/people/audit.ts'
import {
  findOpenDownstream,
  findWantedPlans,
  lockWantedPlans,
  settleWantedPlans,
  spellingsOf,
  type WantedPlan,
} from '#db/repositories/cross-repo-plans.ts'
import { findGraph } from '#db/repositories/graphs.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import type { Reader, Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { formatQualifiedKey } from '#domain/keys.ts'
import { isUnderWay } from '#domain/run-status.ts'
import { upstreamRun } from '#domain/texts/warnings.ts'
import type { Who } from '#runtime/message.ts'
import type { Deps } from '../deps.ts'

type DownstreamDeps = Pick<Deps, 'pool' | 'findRepository' | 'codehost' | 'clock' | 'runtime' | 'log' | 'resolver'>

type Plannable = Pick<DispatchedPlan, 'sha' | 'graphId' | 'stacks' | 'warnings'>

/**
 * Plans a repository because of applies in others: one run for all applies that came together, on the head of the default
 * branch, of the stacks that depend on them and of the stacks that depend on those. No run begins while an earlier one is
 * under way: its jobs may have read the old state, so later applies are gathered for the next run. The earlier run's end asks
 * for it, or else an apply a day later. The run belongs to no pull request, so nothing can be applied from it.
 */
export const planDownstream = async (deps: DownstreamDeps, repoId: number, cause: string | null): Promise<boolean> => {
  const wanted = await findWantedPlans(deps.pool, repoId)
  if (wanted.length === 0 || (await isWaiting(deps, deps.pool, repoId))) return false
  const repository = await deps.findRepository(repoId)
  if (!repository) return false
  const isGone = repository.removed || repository.suspended || repository.archived
  const plannable = isGone ? undefined : await findPlannable(deps, repository, wanted)
  if (plannable === 'not now') return false
  const begun = await transact(deps.pool, async (tx) => {
    const read = new Set(wanted.map(nameOf))
    const plans = (await lockWantedPlans(tx, repoId)).filter((plan) => read.has(nameOf(plan)))
    if (plans.length === 0 || (await isWaiting(deps, tx, repoId))) return false
    const runId = plannable && (await begin(deps, tx, { repository, plannable, plans, cause }))
    await settleWantedPlans(tx, repoId, { plans, runId })
    return runId !== undefined
  })
  if (begun) deps.runtime.wake()
  return begun
}

/** Whether the former plan must end before the next begins. */
const isWaiting = async ({ clock }: DownstreamDeps, db: Reader, repoId: number): Promise<boolean> => {
  const former = await findOpenDownstream(db, repoId)
  return former !== undefined && !givesWay(former, clock.now())
}

const nameOf = (plan: WantedPlan): string => `${plan.upstream_run_id} ${plan.stack_id}`

/**
 * Undefined if nothing depends on it any more, or if there is no commit to plan. 'not now' if svc.yml keeps its stacks from being put in
 * order: the plan stays wanted until the next time that it is asked for.
 */
const findPlannable = async (
  deps: DownstreamDeps,
  repository: Repository,
  wanted: readonly WantedPlan[],
): Promise<Plannable | 'not now' | undefined> => {
  const graphId = repository.default_graph_id
  const stored = graphId === null ? undefined : await findGraph(deps.pool, repository.id, graphId)
  const sha = stored && (await deps.codehost.branchHead(repository, repository.default_branch))
  if (!stored || sha === undefined) return undefined
  const upstreams = new Set(wanted.map((plan) => plan.upstream_repo_id))
  const spelled = await Promise.all([...upstreams].map((id) => spellingsOf(deps.pool, repository.id, id)))
  const { config, warnings } = await readDefaultConfig(deps, repository)
  const resolved = await deps.resolver.resolveRecorded(
    repository,
    { graph: stored.body, config },
    { changedStacks: spelled.flat() },
  )
  if (!resolved.ok) {
    deps.log.warn({ repo: repository.full_name }, `not planned after applies elsewhere: ${resolved.reason}`)
    return 'not now'
  }
  if (resolved.stacks.length === 0) return undefined
  // nothing is applied from it, under whatever environment
  const stacks = resolved.stacks.map((stack) => ({ ...stack, environment: 'default' }))
  return { sha, graphId: stored.id, stacks, warnings }
}

const begin = async (
  deps: DownstreamDeps,
  tx: Tx,
  of: { repository: Repository; plannable: Plannable; plans: readonly WantedPlan[]; cause: string | null },
): Promise<string> => {
  const { repository, plannable, plans, cause } = of
  const who = { actor: 'system', cause }
  await replaceFormer(deps, tx, repository.id, { sha: plannable.sha, who })
  const runId = await beginDispatchedPlan(deps, tx, {
    ...plannable,
    repoId: repository.id,
    prNumber: null,
    baseSha: null,
    trigger: 'push',
    requestedBy: who.actor,
    who,
  })
  const at = deps.clock.now()
  const upstreams = Map.groupBy(plans, (plan) => plan.upstream_run_id)
  await addWarnings(
    tx,
    [...upstreams].map(([id, ofRun]) => {
      const keys = ofRun.map(({ key }) => key)
      const warning = upstreamRun({ runId: id, repo: ofRun[0]?.upstream_repo ?? '', keys })
      return { runId, warning: { ...warning, at: at.toISOString() } }
    }),
  )
  const details = {
    repo: repository.full_name,
    run_id: runId,
    sha: plannable.sha,
    stacks: plannable.stacks.length,
    upstream_runs: [...upstreams.keys()],
    upstream_stacks: [...new Set(plans.map((plan) => formatQualifiedKey(plan.upstream_repo, plan.key)))],
  }
  await addAudit(tx, [
    { at, actor: who.actor, actor_id: null, action: 'cross_repo_plan', target: repository.full_name, details },
  ])
  return runId
}

/** Checked again under its lock: it may just have ended. */
const replaceFormer = async (
  { runtime }: DownstreamDeps,
  tx: Tx,
  repoId: number,
  { sha, who }: { sha: string; who: Who },
): Promise<void> => {
  const former = await findOpenDownstream(tx, repoId)
  const [run] = former ? await lockRuns(tx, [former.id]) : []
  if (!run || !isUnderWay(run.status)) return
  await runtime.sendAll(tx, [{ to: { kind: 'run', id: run.id }, event: { type: 'head.replaced', sha }, ...who }])
}
