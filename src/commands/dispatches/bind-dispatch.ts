import { actorOf, type Caller, type RunnerCaller } from '#commands/callers/caller.ts'
import { isOfJob, isPlanner, namesOf } from '#commands/callers/claim-problem.ts'
import { findRun } from '#db/machines/runs.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { ofInstallation } from '#db/tenant.ts'
import { type DispatchView, findDispatchNamed, findDispatchOfJob, hasUnboundDispatch } from '#db/views/dispatch-view.ts'
import { readRunName, runWorkflowPath } from '#domain/run-name.ts'
import { Problem } from '#errors.ts'
import type { Deps } from '../deps.ts'
import { endOfEarlierAttempt, isOfDispatch } from './follow-workflow-run.ts'

type BindDeps = Pick<Deps, 'pool' | 'runtime' | 'codehost'>

/**
 * The dispatch of a run that a job's token belongs to, bound on first contact (docs/interface.md, 'GET /v1/runs/{id}');
 * undefined for callers without a dispatch. Rejects with 403 if the token belongs to no dispatch of the run. Once bound, this
 * costs one look-up: a binding only grows, so it may be read before the run is locked.
 */
export const dispatchOf = async (
  deps: BindDeps,
  caller: Caller,
  runId: string,
  cause?: string,
): Promise<DispatchView | undefined> => {
  if (caller.kind === 'key' || isPlanner(caller)) return undefined
  const { claims } = caller
  const other = eventProblem(caller)
  if (other) throw other
  const own = ofInstallation(deps.pool, caller.repository.installation_id)
  const known = await findDispatchOfJob(own, runId, claims.workflowRunId)
  const foreign = workflowProblem(caller, known !== undefined)
  if (foreign) throw foreign
  const dispatch = known ?? (await findByName(deps, caller, runId))
  if (dispatch.repo_id !== claims.repositoryId) throw otherRepository()
  if (!isBound(dispatch, caller)) await bind(deps, caller, dispatch, cause)
  return dispatch
}

const otherRepository = (): Problem => new Problem('forbidden', 'the token belongs to another repository')

export const eventProblem = ({ claims }: RunnerCaller): Problem | undefined =>
  claims.event === 'workflow_dispatch'
    ? undefined
    : new Problem('forbidden', `no run waits for a job of a ${claims.event} event`)

/**
 * The one workflow that the service starts, as it is on the default branch: no branch may bring its own version. A workflow
 * run known to be started by a dispatch belongs to the branch that was the default then, and must be able to report even if
 * another branch is the default now.
 */
export const workflowProblem = (caller: RunnerCaller, isKnown: boolean): Problem | undefined => {
  const { claims, repository } = caller
  const allowed = namesOf(caller).map((name) => workflowRefOf(name, repository))
  const wanted = (ref: string): string => (isKnown ? (ref.split('@', 1)[0] ?? '') : ref)
  if (allowed.some((ref) => isSameRef(wanted(ref), wanted(claims.workflowRef)))) return undefined
  return new Problem('forbidden', `the job belongs to ${claims.workflowRef}: the service dispatches ${allowed[0]} only`)
}

const workflowRefOf = (name: string, repository: Repository): string =>
  `${name}/${runWorkflowPath}@refs/heads/${repository.default_branch}`

/** Repository names ignore letter case; file and branch names do not. */
const isSameRef = (a: string, b: string): boolean => {
  const [owner = '', name = '', ...rest] = a.split('/')
  const [otherOwner = '', otherName = '', ...others] = b.split('/')
  const same = owner.toLowerCase() === otherOwner.toLowerCase() && name.toLowerCase() === otherName.toLowerCase()
  return same && rest.join('/') === others.join('/')
}

/** Found by its name, a dispatch may be another workflow run's: it went out twice. */
const isBound = (dispatch: DispatchView, caller: RunnerCaller): boolean =>
  (dispatch.state === 'bound' || dispatch.state === 'completed') && isOfJob(dispatch, caller)

/**
 * When the first job asks, the answer to the dispatch may be lost or not recorded yet. The code host then gives the name of
 * the workflow run, which the dispatch gave it.
 */
const findByName = async (deps: BindDeps, caller: RunnerCaller, runId: string): Promise<DispatchView> => {
  const { claims, repository } = caller
  const run = await findRun(deps.pool, runId)
  if (!run) throw new Problem('not_found', `run ${runId} does not exist`)
  if (run.repo_id !== claims.repositoryId) throw otherRepository()
  const none = new Problem('forbidden', `workflow run ${claims.workflowRunId} was not dispatched for run ${runId}`)
  if (!(await hasUnboundDispatch(deps.pool, runId))) {
    // another job of the same workflow run may have bound it since the first look
    const bound = await findDispatchOfJob(deps.pool, runId, claims.workflowRunId)
    if (!bound) throw none
    return bound
  }
  const workflowRun = await deps.codehost.getWorkflowRun(repository, claims.workflowRunId)
  const name = workflowRun && readRunName(workflowRun.title)
  if (!workflowRun || name?.runId !== runId) throw none
  const dispatch = await findDispatchNamed(deps.pool, repository.id, name)
  if (!dispatch || !isOfDispatch(workflowRun, dispatch)) throw none
  return dispatch
}

/** The machine refuses another workflow run, an attempt that was replaced, and a re-run of a completed one. */
const bind = async (
  { runtime }: BindDeps,
  caller: RunnerCaller,
  dispatch: DispatchView,
  cause: string | undefined,
): Promise<void> => {
  const { workflowRunId, workflowRunAttempt } = caller.claims
  const who = { actor: actorOf(caller), cause }
  for (const ended of endOfEarlierAttempt(dispatch, workflowRunId, workflowRunAttempt, who)) await runtime.send(ended)
  const { problem } = await runtime.send({
    to: { kind: 'dispatch', id: dispatch.id, runId: dispatch.run_id },
    event: { type: 'workflow.bound', workflow_run_id: workflowRunId, attempt: workflowRunAttempt },
    ...who,
  })
  if (problem) throw problem
}
