import type { WorkflowRun } from '#codehost/port.ts'
import { Refusal } from '#codehost/refusal.ts'
import { addJobs } from '#db/jobs.ts'
import { type OpenPlan, openPlansBefore } from '#db/open-plans.ts'
import type { Repository } from '#db/repositories.ts'
import { type DispatchView, openDispatches } from '#db/views/dispatch-view.ts'
import { strandedDispatches, strandedPlans, strandedWaves } from '#db/views/stranded.ts'
import { runWorkflow } from '#domain/run-name.ts'
import { planDownstreamJob } from '#runtime/cross-repo-jobs.ts'
import { dispatchWaveJob, sendDispatchJob } from '#runtime/effects.ts'
import { eachRepository, type PatrolDeps, turn } from './each-repository.ts'
import { followWorkflowRun, workflowRunOf } from './follow-workflow-run.ts'
import { repoRefOf } from './repo-ref.ts'
import { settleUnseen } from './settle-unseen.ts'
import { settlePlan } from './settle-workflow-run.ts'

const minute = 60_000
/** Webhooks come within seconds: what is younger is theirs to tell. */
const graceMs = minute
/** A plan's workflow run has its webhooks too; it is asked for only where they should have come long ago. */
const planGraceMs = 5 * minute
/** Dispatches are found by name within half an hour; a list that reaches further back costs pages. */
const listMs = 2 * 60 * minute
/** Requests for single workflow runs, a repository and minute. */
const mostAsked = 20

/**
 * Compares what is under way here with the code host, each minute (spec, 'Events'): webhooks get lost, and nothing may wait
 * for one for ever. Dispatches are bound by the name of their workflow run, what has ended is settled, and what lost its job
 * gets another.
 */
export const reconcileRuns = async (deps: PatrolDeps, cause: string | null): Promise<void> => {
  const now = +deps.clock.now()
  await queueStranded(deps, new Date(now - graceMs), cause)
  await settleUnseen(deps, cause)
  const dispatches = Map.groupBy(await openDispatches(deps.pool, new Date(now - graceMs)), (one) => one.repo_id)
  const plans = Map.groupBy(await openPlansBefore(deps.pool, new Date(now - planGraceMs)), (one) => one.repo_id)
  await eachRepository(deps, [...dispatches.keys()], (repository) =>
    followDispatches(deps, repository, dispatches.get(repository.id) ?? [], cause),
  )
  await eachRepository(deps, [...plans.keys()], (repository) =>
    settlePlans(deps, repository, plans.get(repository.id) ?? [], cause),
  )
}

const queueStranded = async ({ pool, runtime }: PatrolDeps, before: Date, cause: string | null): Promise<void> => {
  const jobs = [
    ...(await strandedWaves(pool, before)).map(({ run_id: runId, wave, installation_id }) =>
      dispatchWaveJob({ runId, wave: wave ?? undefined }, installation_id, cause),
    ),
    ...(await strandedDispatches(pool, before)).map(({ id, installation_id }) =>
      sendDispatchJob({ id, again: true }, installation_id, cause),
    ),
    ...(await strandedPlans(pool, before)).map(({ repo_id: repoId }) => planDownstreamJob(repoId, cause)),
  ]
  await addJobs(pool, jobs)
  if (jobs.length > 0) runtime.wake()
}

const roundOf = ({ clock }: PatrolDeps): number => Math.floor(+clock.now() / minute)

const followDispatches = async (
  deps: PatrolDeps,
  repository: Repository,
  dispatches: readonly DispatchView[],
  cause: string | null,
): Promise<void> => {
  const oldest = Math.min(...dispatches.map((dispatch) => +dispatch.created_at)) - 10 * minute
  const since = new Date(Math.max(oldest, +deps.clock.now() - listMs))
  const listed = await listSince(deps, repository, since)
  const unlisted: DispatchView[] = []
  for (const dispatch of dispatches) {
    deps.signal.throwIfAborted()
    const workflowRun = workflowRunOf(dispatch, listed ?? [])
    if (workflowRun) await followWorkflowRun(deps, dispatch, workflowRun, cause)
    else if (dispatch.workflow_run_id !== null) unlisted.push(dispatch)
  }
  for (const dispatch of turn(unlisted, mostAsked, roundOf(deps))) {
    deps.signal.throwIfAborted()
    const workflowRun = (await readOf(deps, repository, dispatch)) ?? (listed && deletedOf(dispatch))
    if (workflowRun) await followWorkflowRun(deps, dispatch, workflowRun, cause)
  }
}

/** Undefined where the code host knows the workflow no longer: its file went, while runs of it may go on. */
const listSince = ({ codehost }: PatrolDeps, repository: Repository, since: Date): Promise<WorkflowRun[] | undefined> =>
  codehost.listWorkflowRuns(repoRefOf(repository), runWorkflow, since).catch((error) => {
    if (error instanceof Refusal && error.hostStatus === 404) return undefined
    throw error
  })

type Seen = Pick<WorkflowRun, 'id' | 'attempt' | 'status' | 'conclusion'>

const readOf = async (
  { codehost }: PatrolDeps,
  repository: Repository,
  { workflow_run_id: id }: DispatchView,
): Promise<Seen | undefined> => (id === null ? undefined : codehost.getWorkflowRun(repoRefOf(repository), id))

/**
 * One that the code host has no longer was deleted, which it allows for completed ones alone. Only where it shows the list:
 * of a repository that is out of our sight it says the same of everything.
 */
const deletedOf = ({ state, workflow_run_id: id, workflow_run_attempt: attempt }: DispatchView): Seen | undefined =>
  id === null || state !== 'bound'
    ? undefined
    : { id, attempt: attempt ?? 1, status: 'completed', conclusion: 'deleted' }

const settlePlans = async (
  deps: PatrolDeps,
  repository: Repository,
  plans: readonly OpenPlan[],
  cause: string | null,
): Promise<void> => {
  for (const { id, workflow_run_id } of turn(plans, mostAsked, roundOf(deps))) {
    deps.signal.throwIfAborted()
    const found = await deps.codehost.getWorkflowRun(repoRefOf(repository), workflow_run_id)
    const deleted = { id: workflow_run_id, attempt: Number.MAX_SAFE_INTEGER, status: 'completed' as const }
    await settlePlan(deps, id, found ?? deleted, cause)
  }
}
