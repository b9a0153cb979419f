import type { WorkflowRun } from '#codehost/port.ts'
import { Refusal } from '#codehost/refusal.ts'
import { followWorkflowRun, workflowRunOf } from '#commands/dispatches/follow-workflow-run.ts'
import { settlePlan } from '#commands/dispatches/settle-workflow-run.ts'
import { settleUnheardGroups } from '#commands/merge-queue/settle-unheard-groups.ts'
import { addJobs, missingJobs } from '#db/queue/jobs.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { type OpenPlan, openPlansBefore } from '#db/runs/open-plans.ts'
import { type DispatchView, openDispatches } from '#db/views/dispatch-view.ts'
import { overdueDispatches, overduePlans, overdueWaves } from '#db/views/overdue.ts'
import { isItsTurn } from '#domain/patrol-turn.ts'
import { runWorkflow } from '#domain/run-name.ts'
import { makeJob } from '#jobs/job.ts'
import { type PatrolDeps, patrolRepositories, turn } from './patrol-repositories.ts'
import { settleOutOfSight } from './settle-out-of-sight.ts'

const minute = 60_000
/** Webhooks come within seconds: anything younger is left to them. */
const graceMs = minute
/** A plan's workflow run has its webhooks too; the code host is asked only if they should have come long ago. */
const planGraceMs = 5 * minute
/** Dispatches are found by name within half an hour; a list that goes further back costs pages. */
const listMs = 2 * 60 * minute
/** Requests for single workflow runs, per repository and minute. */
const mostAsked = 20

/**
 * Compares what is under way here with the code host, each minute (docs/interface.md, 'Events'): webhooks get lost, and
 * nothing may wait for one for ever. Dispatches are bound by the name of their workflow run, what has ended is settled, and
 * whatever lost its job gets another.
 */
export const reconcileRuns = async (deps: PatrolDeps, cause: string | null): Promise<void> => {
  const now = +deps.clock.now()
  await queueLost(deps, new Date(now - graceMs), cause)
  await settleOutOfSight(deps, cause)
  await settleUnheardGroups(deps, cause)
  const dispatches = Map.groupBy(await openDispatches(deps.pool, new Date(now - graceMs)), (one) => one.repo_id)
  const plans = Map.groupBy(await plansToAsk(deps), (one) => one.repo_id)
  await patrolRepositories(deps, [...dispatches.keys()], (repository) =>
    followDispatches(deps, repository, dispatches.get(repository.id) ?? [], cause),
  )
  await patrolRepositories(deps, [...plans.keys()], (repository) =>
    settlePlans(deps, repository, plans.get(repository.id) ?? [], cause),
  )
}

/** Queues jobs again that were given up while their work still waits. */
const queueLost = async (deps: PatrolDeps, before: Date, cause: string | null): Promise<void> => {
  const { pool, runtime } = deps
  const isTurn = turnsNow(deps)
  // one that cannot be planned now, since its stacks form a cycle, stays wanted until svc.yml is mended
  const plans = (await overduePlans(pool, before)).filter(({ repo_id, since }) => isTurn(repo_id, since))
  const wanted = [
    ...(await overdueWaves(pool, before)).map(({ run_id, wave, installation_id: installationId }) =>
      makeJob('dispatch_wave', { run_id, wave: wave ?? undefined }, { installationId, cause }),
    ),
    ...(await overdueDispatches(pool, before)).map(({ id, installation_id: installationId }) =>
      makeJob('send_dispatch', { dispatch_id: id, again: true }, { installationId, cause }),
    ),
    ...plans.map(({ repo_id, installation_id: installationId }) =>
      makeJob('cross_repo_plan', { repo_id }, { installationId, cause }),
    ),
  ]
  const lost = await missingJobs(pool, wanted)
  await addJobs(pool, lost)
  if (lost.length > 0) runtime.wake()
}

const roundOf = ({ clock }: PatrolDeps): number => Math.floor(+clock.now() / minute)

const turnsNow = (deps: PatrolDeps): ((number: number, since: Date) => boolean) => {
  const [now, round] = [+deps.clock.now(), roundOf(deps)]
  return (number, since) => isItsTurn({ number, age: (now - +since) / minute }, round)
}

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

/** Undefined if the code host no longer knows the workflow: its file was removed, while runs of it may go on. */
const listSince = ({ codehost }: PatrolDeps, repository: Repository, since: Date): Promise<WorkflowRun[] | undefined> =>
  codehost.listWorkflowRuns(repository, runWorkflow, since).catch((error) => {
    if (error instanceof Refusal && error.hostStatus === 404) return undefined
    throw error
  })

type Seen = Pick<WorkflowRun, 'id' | 'attempt' | 'status' | 'conclusion'>

const readOf = async (
  { codehost }: PatrolDeps,
  repository: Repository,
  { workflow_run_id: id }: DispatchView,
): Promise<Seen | undefined> => (id === null ? undefined : codehost.getWorkflowRun(repository, id))

/**
 * A workflow run that the code host no longer has was deleted, which it allows for completed ones alone. Only if it shows the
 * list: for a repository that we cannot see it says the same of everything.
 */
const deletedOf = ({ state, workflow_run_id: id, workflow_run_attempt: attempt }: DispatchView): Seen | undefined =>
  id === null || state !== 'bound'
    ? undefined
    : { id, attempt: attempt ?? 1, status: 'completed', conclusion: 'deleted' }

/** The open plans that are asked about in this minute. */
const plansToAsk = async (deps: PatrolDeps): Promise<OpenPlan[]> => {
  const open = await openPlansBefore(deps.pool, new Date(+deps.clock.now() - planGraceMs))
  const isTurn = turnsNow(deps)
  return open.filter((plan) => isTurn(plan.workflow_run_id, plan.created_at))
}

/** A workflow run that is not found was deleted, unless we do not see the repository: the code host says the same then. */
const settlePlans = async (
  deps: PatrolDeps,
  repository: Repository,
  plans: readonly OpenPlan[],
  cause: string | null,
): Promise<void> => {
  for (const { id, workflow_run_id } of turn(plans, mostAsked, roundOf(deps))) {
    deps.signal.throwIfAborted()
    const found = await deps.codehost.getWorkflowRun(repository, workflow_run_id)
    if (!found && (await deps.codehost.branchHead(repository, repository.default_branch)) === undefined) return
    const deleted = { id: workflow_run_id, attempt: Number.MAX_SAFE_INTEGER, status: 'completed' as const }
    await settlePlan(deps, id, found ?? deleted, cause)
  }
}
