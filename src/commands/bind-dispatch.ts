import type { Repository } from '#db/repositories.ts'
import { findRun } from '#db/runs.ts'
import { type DispatchView, findDispatchNamed, findDispatchOfJob, hasUnboundDispatch } from '#db/views/dispatch-view.ts'
import { readRunName, runWorkflowPath } from '#domain/run-name.ts'
import { Problem } from '#errors.ts'
import { actorOf, type Caller, namesOf, type RunnerCaller } from './caller.ts'
import type { Deps } from './deps.ts'
import { endOfEarlierAttempt, isOfDispatch } from './follow-workflow-run.ts'
import { repoRefOf } from './repo-ref.ts'

type BindDeps = Pick<Deps, 'pool' | 'runtime' | 'codehost'>

/**
 * The dispatch of a run that a job's token is of, bound on first contact (spec, 'GET /v1/runs/{id}'); undefined for callers
 * that come without one. Rejects with 403 where the token is of no dispatch of the run. Once bound, that costs one look-up:
 * a binding only grows, so it may be looked at before the run is locked.
 */
export const dispatchOf = async (
  deps: BindDeps,
  caller: Caller,
  runId: string,
  cause?: string,
): Promise<DispatchView | undefined> => {
  if (caller.kind === 'key' || caller.claims.event === 'pull_request') return undefined
  const { claims } = caller
  const other = eventProblem(caller)
  if (other) throw other
  const known = await findDispatchOfJob(deps.pool, runId, claims.workflowRunId)
  const foreign = workflowProblem(caller, known !== undefined)
  if (foreign) throw foreign
  const dispatch = known ?? (await findByName(deps, caller, runId))
  if (dispatch.repo_id !== claims.repositoryId) throw otherRepository()
  if (!isBound(dispatch, caller)) await bind(deps, caller, dispatch, cause)
  return dispatch
}

const otherRepository = (): Problem => new Problem('forbidden', 'the token is of another repository')

export const eventProblem = ({ claims }: RunnerCaller): Problem | undefined =>
  claims.event === 'workflow_dispatch'
    ? undefined
    : new Problem('forbidden', `no run waits for a job of a ${claims.event} event`)

/**
 * The one workflow that the service starts, as it stands on the default branch: no branch may bring a version of its own. A
 * workflow run that a dispatch is known to have started is of the branch that was the default one then, and must not be kept
 * from reporting by another being that since.
 */
export const workflowProblem = (caller: RunnerCaller, isKnown: boolean): Problem | undefined => {
  const { claims, repository } = caller
  const allowed = namesOf(caller).map((name) => workflowRefOf(name, repository))
  const wanted = (ref: string): string => (isKnown ? (ref.split('@', 1)[0] ?? '') : ref)
  if (allowed.some((ref) => isSameRef(wanted(ref), wanted(claims.workflowRef)))) return undefined
  return new Problem('forbidden', `the job is of ${claims.workflowRef}: the service dispatches ${allowed[0]} only`)
}

const workflowRefOf = (name: string, repository: Repository): string =>
  `${name}/${runWorkflowPath}@refs/heads/${repository.defaultBranch}`

/** Names of repositories know no letter case; those of files and branches do. */
const isSameRef = (a: string, b: string): boolean => {
  const [owner = '', name = '', ...rest] = a.split('/')
  const [otherOwner = '', otherName = '', ...others] = b.split('/')
  const same = owner.toLowerCase() === otherOwner.toLowerCase() && name.toLowerCase() === otherName.toLowerCase()
  return same && rest.join('/') === others.join('/')
}

const isBound = (dispatch: DispatchView, { claims }: RunnerCaller): boolean =>
  (dispatch.state === 'bound' || dispatch.state === 'completed') &&
  dispatch.workflow_run_attempt === claims.workflowRunAttempt

/**
 * The answer to the dispatch may be lost, or not be written down yet, when its first job asks. The code host then says what
 * the workflow run is called, which it was told by the dispatch.
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
  const workflowRun = await deps.codehost.getWorkflowRun(repoRefOf(repository), claims.workflowRunId)
  const name = workflowRun && readRunName(workflowRun.title)
  if (!workflowRun || name?.runId !== runId) throw none
  const dispatch = await findDispatchNamed(deps.pool, repository.id, name)
  if (!dispatch || !isOfDispatch(workflowRun, dispatch)) throw none
  return dispatch
}

/** The machine says no to another workflow run, to an attempt that was taken over, and to a re-run of a completed one. */
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
