import { accountOf, actorOf, type PersonOrKey } from '#commands/callers/caller.ts'
import { permitPush } from '#commands/callers/permit-push.ts'
import { permitSight } from '#commands/callers/permit-sight.ts'
import { permitTeams } from '#commands/callers/permit-teams.ts'
import { refuseSuspended } from '#commands/callers/refuse-suspended.ts'
import { type DefaultConfig, readDefaultConfig } from '#commands/policy/default-config.ts'
import { type ShapedRun, shapeRun } from '#commands/shapes/shape-run.ts'
import { findArchived } from '#db/history/archived-runs.ts'
import { findRun, lockRuns } from '#db/machines/runs.ts'
import { addAudit } from '#db/people/audit.ts'
import { lockPullRequest, type PullRequestRow } from '#db/repositories/pull-requests.ts'
import { runUnderWay, stacksToRerun } from '#db/runs/reruns.ts'
import type { Tx } from '#db/sql.ts'
import { findRunView, type RunView } from '#db/views/runs/run-view.ts'
import { isOpen } from '#domain/run-status.ts'
import { Problem } from '#errors.ts'
import type { Who } from '#runtime/message.ts'
import { rowOfPullRequest } from '#runtime/row-turns.ts'
import type { Deps } from '../deps.ts'
import { beginDispatchedPlan } from './begin-dispatched-plan.ts'
import { plannedStacks } from './planned-stack.ts'
import { supersededProblem } from './superseded-problem.ts'

/** Plans every stack of a plan run again in a new run (docs/interface.md, 'POST /v1/runs/{id}/rerun'). */
export const rerun = async (deps: Deps, caller: PersonOrKey, runId: string, cause: string): Promise<ShapedRun> => {
  const run = await findRun(deps.pool, runId)
  const repository = run && (await deps.findRepository(run.repo_id))
  if (!repository) throw absent(runId)
  await permitSight(deps.pool, caller, repository.id, () => absent(runId))
  refuseSuspended(repository)
  await permitPush(deps, caller, repository)
  await permitTeams(deps, 'rerun', caller, repository)
  const id = await rerunAs(deps, runId, { actor: actorOf(caller), account: accountOf(caller), cause })
  const view = await findRunView(deps.pool, id)
  if (!view) throw new Error(`run ${id} is gone`)
  return shapeRun(deps.baseUrl, view)
}

/** The same for a caller whose permission was checked already; returns the new run's id. */
export const rerunAs = async (deps: Deps, runId: string, who: Who): Promise<string> => {
  const known = await findRun(deps.pool, runId)
  const repository = known && (await deps.findRepository(known.repo_id))
  if (!repository) throw absent(runId)
  const { repo_id: repoId, pr_number: number } = known
  const policy = await readDefaultConfig(deps, repository)
  const row = number === null ? runId : rowOfPullRequest(repoId, number)
  const id = await deps.runtime.transactInTurn({ owner: who.actor, row }, async (tx) => {
    const pull = number === null ? undefined : await lockPullRequest(tx, repoId, number)
    await lockRuns(tx, [runId])
    const run = await findRunView(tx, runId)
    if (!run) throw absent(runId)
    const hindrance = hindranceOf(run, pull) ?? (await archivedProblem(tx, run)) ?? (await meetingProblem(tx, run))
    if (hindrance) throw hindrance
    return begin(deps, tx, run, { policy, who })
  })
  deps.runtime.wake()
  return id
}

const absent = (runId: string): Problem => new Problem('not_found', `run ${runId} does not exist`)

const archivedProblem = async (tx: Tx, { id }: RunView): Promise<Problem | undefined> =>
  (await findArchived(tx, id)) &&
  new Problem('conflict', 'the run is archived, and is not run again: re-run all jobs of its workflow, or push')

/** Why a run itself cannot be planned again. */
const hindranceOf = (run: RunView, pull: Pick<PullRequestRow, 'head_sha'> | undefined): Problem | undefined => {
  if (run.mode !== 'plan')
    return new Problem('conflict', `only plan runs can be run again: this is a run of mode ${run.mode}`)
  if (run.status === 'superseded' || (pull && pull.head_sha !== run.sha)) return supersededProblem()
  if (isOpen(run.status))
    return new Problem('conflict', `the run is ${run.status}: it can be run again once it has ended`)
  if (run.failure !== null || run.graph_id === null) {
    return new Problem(
      'conflict',
      'the run has no graph to plan from: re-run all jobs of its workflow, or push, and a new run resolves one',
    )
  }
  return undefined
}

/**
 * Two plans of one commit would wait for each other's locks on the state, and a plan beside an apply shows a half-done
 * change.
 */
const meetingProblem = async (tx: Tx, run: RunView): Promise<Problem | undefined> => {
  const other = await runUnderWay(tx, { repoId: run.repo_id, prNumber: run.pr_number, sha: run.sha })
  if (!other) return undefined
  const what = other.mode === 'apply' ? 'an apply of the pull request' : 'another plan of this commit'
  return new Problem('conflict', `${what} is under way: run ${other.id}`)
}

type Begin = { policy: DefaultConfig; who: Who }

const begin = async (deps: Deps, tx: Tx, run: RunView, { policy, who }: Begin): Promise<string> => {
  const id = await beginDispatchedPlan(deps, tx, {
    repoId: run.repo_id,
    prNumber: run.pr_number,
    sha: run.sha,
    baseSha: run.base_sha,
    trigger: 'rerequest',
    requestedBy: who.actor,
    graphId: run.graph_id ?? '',
    rerunOf: run.id,
    stacks: await plannedStacks(await stacksToRerun(tx, run.id), policy.config),
    warnings: policy.warnings,
    who,
  })
  const details = {
    repo: run.repo,
    ...(run.pr_number === null ? {} : { pr: run.pr_number }),
    run_id: id,
    rerun_of: run.id,
  }
  await addAudit(tx, [
    {
      at: deps.clock.now(),
      actor: who.actor,
      actor_id: who.account ?? null,
      action: 'rerun',
      target: run.repo,
      details,
    },
  ])
  return id
}
