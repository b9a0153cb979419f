import type { Repository } from '#db/repositories.ts'
import type { RunStackRow } from '#db/run-stacks.ts'
import type { RunRow } from '#db/runs.ts'
import type { DispatchView } from '#db/views/dispatch-view.ts'
import { environmentOf } from '#domain/dispatch-inputs.ts'
import type { RunnerClaims } from '#domain/runner-claims.ts'
import { Problem } from '#errors.ts'
import type { Person } from './people/person.ts'

/** Who asks: a job of a CI workflow with its own token, or automation with an API key. */
export type Caller = { kind: 'runner'; claims: RunnerClaims; repository: Repository } | { kind: 'key'; name: string }

/** Whoever may be let in: the two that report, and people. */
export type AnyCaller = Caller | Person

/** Whoever may look at what is recorded, and ask for something to be done about it. */
export type PersonOrKey = Exclude<AnyCaller, { kind: 'runner' }>

export type RunnerCaller = Extract<Caller, { kind: 'runner' }>

/** What the job's repository is called: here, and after a rename that is not known here yet in its token. */
export const namesOf = ({ claims, repository }: RunnerCaller): string[] => [repository.fullName, claims.repository]

/** That a job names another repository than its token does. */
export const nameProblem = (caller: RunnerCaller, repo: string): Problem | undefined => {
  const names = namesOf(caller).map((name) => name.toLowerCase())
  if (names.includes(repo.toLowerCase())) return undefined
  return new Problem('forbidden', `the token is of ${caller.repository.fullName}, not of ${repo}`)
}

type OfWorkflowRun = { workflow_run_id: number | null; workflow_run_attempt: number | null }

/** Whether the run is of the workflow run, in the same attempt, whose job asks. */
export const isOfJob = (run: OfWorkflowRun, { claims }: RunnerCaller): boolean =>
  run.workflow_run_id === claims.workflowRunId && run.workflow_run_attempt === claims.workflowRunAttempt

/** The name under which journal and audit know the caller. */
export const actorOf = (caller: AnyCaller): string => {
  if (caller.kind === 'person') return caller.login
  return caller.kind === 'key' ? `apikey:${caller.name}` : `runner:${caller.claims.repository}`
}

/**
 * Whether a job's token is for this run (spec, 'Runner token rules', 5): the token of a pull request's job reaches the plan
 * runs of that pull request alone, that of a dispatched job only a run whose dispatch it is bound to (bind-dispatch.ts).
 */
export const claimProblem = (caller: Caller, run: RunRow, dispatch?: DispatchView): Problem | undefined => {
  if (caller.kind === 'key') return undefined
  const { claims } = caller
  if (claims.repositoryId !== run.repo_id) return new Problem('forbidden', 'the token is of another repository')
  if (claims.event === 'pull_request') {
    const own = run.mode === 'plan' && run.trigger === 'pull_request' && run.pr_number === claims.prNumber
    return own ? undefined : new Problem('forbidden', `the run is no plan run of pull request ${claims.prNumber}`)
  }
  if (dispatch?.run_id === run.id) return undefined
  return new Problem('forbidden', 'no dispatch of the run is bound to the workflow run that this token is of')
}

/**
 * Whether a dispatched job may touch a stack: one of its own dispatch, and under the environment whose rules and secrets the
 * stack is to be run with. Environments know no letter case.
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

/** What superseded means to whoever reports late. */
export const supersededProblem = (): Problem =>
  new Problem('superseded', 'a newer commit of the pull request replaced this run')

const finished: ReadonlySet<string> = new Set(['planned', 'applied', 'failed', 'unconfirmed', 'superseded'])

export const isFinished = (run: { status: string }): boolean => finished.has(run.status)
