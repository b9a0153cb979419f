import type { RunStackRow } from '#db/machines/run-stacks.ts'
import type { RunRow } from '#db/machines/runs.ts'
import type { DispatchView } from '#db/views/dispatch-view.ts'
import { environmentOf } from '#domain/dispatch/dispatch-inputs.ts'
import { Problem } from '#errors.ts'
import type { AnyCaller, Caller, RunnerCaller } from './caller.ts'

/**
 * The names of the job's repository: the one known here, and the one in its token, which differs after a rename not known
 * here yet.
 */
export const namesOf = ({ claims, repository }: RunnerCaller): string[] => [repository.full_name, claims.repository]

/** The problem if a job names a repository other than its token's. */
export const nameProblem = (caller: RunnerCaller, repo: string): Problem | undefined => {
  const names = namesOf(caller).map((name) => name.toLowerCase())
  if (names.includes(repo.toLowerCase())) return undefined
  return new Problem('forbidden', `the token belongs to ${caller.repository.full_name}, not to ${repo}`)
}

/**
 * Whether the caller is a job that plans a commit of its own, a pull request's or a merge group's. It alone may upload the graph, and
 * once the run is finished it can only repeat itself.
 */
export const isPlanner = (caller: AnyCaller): boolean =>
  caller.kind === 'runner' && (caller.claims.event === 'pull_request' || caller.claims.mergeGroup !== undefined)

type OfWorkflowRun = { workflow_run_id: number | null; workflow_run_attempt: number | null }

/** Whether a run or a dispatch belongs to the asking job's workflow run, in the same attempt. */
export const isOfJob = (of: OfWorkflowRun, { claims }: RunnerCaller): boolean =>
  of.workflow_run_id === claims.workflowRunId && of.workflow_run_attempt === claims.workflowRunAttempt

/**
 * The problem if a job's token is not for this run (docs/interface.md, 'Runner token rules', 5): the token of a pull
 * request's job reaches the plan runs of that pull request alone, that of a merge queue's job the run of its group, the token of a dispatched job only a run whose dispatch it
 * is bound to (bind-dispatch.ts).
 */
export const claimProblem = (caller: Caller, run: RunRow, dispatch?: DispatchView): Problem | undefined => {
  if (caller.kind === 'key') return undefined
  const { claims } = caller
  if (claims.repositoryId !== run.repo_id) return new Problem('forbidden', 'the token belongs to another repository')
  if (claims.event === 'pull_request') {
    const own = run.mode === 'plan' && run.trigger === 'pull_request' && run.pr_number === claims.prNumber
    return own ? undefined : new Problem('forbidden', `the run is not a plan run of pull request ${claims.prNumber}`)
  }
  if (claims.mergeGroup !== undefined) {
    const own = run.merge_group === claims.mergeGroup.branch && run.sha === claims.sha
    return own ? undefined : new Problem('forbidden', `the run is not of the merge group ${claims.mergeGroup.branch}`)
  }
  if (dispatch?.run_id === run.id) return undefined
  return new Problem('forbidden', 'no dispatch of the run is bound to the workflow run that this token belongs to')
}

/**
 * The problem if a dispatched job may not touch a stack: the stack must be in the job's dispatch, and the job must run under
 * the environment whose rules and secrets the stack needs. Environment names ignore letter case.
 */
export const stackProblem = (
  caller: Caller,
  stack: Pick<RunStackRow, 'stack_id' | 'key' | 'environment'>,
  dispatch: DispatchView | undefined,
): Problem | undefined => {
  if (caller.kind === 'key' || !dispatch) return undefined
  if (!dispatch.stack_ids.includes(stack.stack_id)) {
    return new Problem('forbidden', `${stack.key} is not among the stacks of this dispatch`)
  }
  const wanted = environmentOf(dispatch.mode, stack.environment)
  const given = caller.claims.environment
  if (given?.toLowerCase() === wanted.toLowerCase()) return undefined
  return new Problem(
    'forbidden',
    `the job runs under ${given === undefined ? 'no environment' : `the environment ${given}`}, and the ${dispatch.mode} of ${stack.key} is to run under ${wanted}: give the job the environment of its matrix entry`,
  )
}
