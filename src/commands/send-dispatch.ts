import type { WorkflowRun } from '#codehost/port.ts'
import { Refusal } from '#codehost/refusal.ts'
import { RetryAfter } from '#codehost/retry-after.ts'
import { findRepository, type Repository } from '#db/repositories.ts'
import { lockRuns } from '#db/runs.ts'
import { transact } from '#db/transact.ts'
import { stacksOfDispatch } from '#db/views/dispatch-stacks.ts'
import { type DispatchView, findDispatch } from '#db/views/dispatch-view.ts'
import { type DispatchInputs, dispatchEntry, dispatchInputs } from '#domain/dispatch-inputs.ts'
import { dispatchRefusal, dispatchUnanswered } from '#domain/dispatch-refusal.ts'
import { firstLine } from '#domain/first-line.ts'
import { runWorkflow, waveLabel } from '#domain/run-name.ts'
import type { MachineEvent } from '#runtime/message.ts'
import type { Deps } from './deps.ts'
import { followWorkflowRun, workflowRunOf } from './follow-workflow-run.ts'
import { repoRefOf } from './repo-ref.ts'
import { isSuperseding, isUnderWay } from './under-way.ts'

type SendDeps = Pick<Deps, 'pool' | 'runtime' | 'codehost' | 'clock' | 'metrics' | 'log'>

/** `again`: it may have been sent before, and the process have ended before it was written down. */
export type Sending = { id: string; again: boolean; cause: string | null }

/** What waited longer may have gone out by the word of a database that was put back to a backup since. */
const promptMs = 60_000

type Sent = { found: WorkflowRun } | { event: MachineEvent }

/**
 * Starts the workflow of a dispatch that is requested, and records what the code host said. Where it may have been started
 * before, its workflow run is looked for first: a second one would apply twice. Rejects where the code host wants to be left
 * alone; every other failure is the dispatch's to hear, which asks to be sent again a minute later, for half an hour.
 */
export const sendDispatch = async (deps: SendDeps, { id, again, cause }: Sending): Promise<boolean> => {
  const dispatch = await findDispatch(deps.pool, id)
  if (dispatch?.state !== 'requested') return false
  const repository = await findRepository(deps.pool, dispatch.repo_id)
  const hasWaited = +deps.clock.now() - +dispatch.created_at > promptMs
  const mayBeOut = again || hasWaited || dispatch.refusals > 0
  const sent =
    !repository || repository.removed || repository.suspended
      ? gone(repository)
      : await sendOrFind(deps, dispatch, repository, mayBeOut)
  if (sent === 'settled') return true
  if ('found' in sent) await followWorkflowRun(deps, dispatch, sent.found, cause)
  else {
    const to = { kind: 'dispatch' as const, id, runId: dispatch.run_id }
    await deps.runtime.send({ to, event: sent.event, actor: 'codehost', cause })
  }
  return true
}

const sendOrFind = async (
  deps: SendDeps,
  dispatch: DispatchView,
  repository: Repository,
  mayBeOut: boolean,
): Promise<Sent | 'settled'> => {
  const found = mayBeOut
    ? await ask(deps, dispatch, repository, () => findStarted(deps, dispatch, repository))
    : undefined
  if (found) return found
  if (!(await mustGoOut(deps, dispatch))) return 'settled'
  const inputs = await inputsOf(deps, dispatch)
  return ask(deps, dispatch, repository, async () => {
    const request = { workflow: runWorkflow, ref: repository.defaultBranch, inputs }
    const workflowRunId = await deps.codehost.dispatchWorkflow(repoRefOf(repository), request)
    deps.metrics.dispatched(dispatch.mode, 'ok')
    const named = workflowRunId === undefined ? {} : { workflow_run_id: workflowRunId }
    return { event: { type: 'dispatch.sent', ...named } }
  })
}

/** What the code host answers; its refusals, and answers that did not come, are for the dispatch to hear. */
const ask = async <S extends Sent | undefined>(
  { metrics, log }: SendDeps,
  dispatch: DispatchView,
  repository: Repository,
  request: () => Promise<S>,
): Promise<S | { event: MachineEvent }> => {
  try {
    return await request()
  } catch (error) {
    if (error instanceof RetryAfter) throw error
    metrics.dispatched(dispatch.mode, 'error')
    log.warn({ err: error, dispatch: dispatch.id, run: dispatch.run_id }, 'a dispatch was not accepted')
    return { event: refusedEvent(error, repository) }
  }
}

/** The same each time it is sent: from the rows as they were made, whatever has become of them. */
const inputsOf = async ({ pool }: SendDeps, dispatch: DispatchView): Promise<DispatchInputs> => {
  const run = { id: dispatch.run_id, mode: dispatch.mode, sha: dispatch.sha }
  const stacks = await stacksOfDispatch(pool, dispatch)
  const entries = stacks.map((stack) => dispatchEntry(run, dispatch.wave, stack))
  return dispatchInputs(run, waveLabel(dispatch, dispatch.parts), entries)
}

/** The clocks of the code host and of this instance differ by less. */
const slackMs = 10 * 60_000

const findStarted = async (
  { codehost }: SendDeps,
  dispatch: DispatchView,
  repository: Repository,
): Promise<{ found: WorkflowRun } | undefined> => {
  const since = new Date(+dispatch.created_at - slackMs)
  const found = workflowRunOf(dispatch, await codehost.listWorkflowRuns(repoRefOf(repository), runWorkflow, since))
  return found && { found }
}

/**
 * Whether it is still to be sent: not where another worker has sent it, while this one stood still and lost its lease. A run
 * that ended, or that a newer commit replaces, while its dispatch waited sends nothing out any more: its stacks are skipped,
 * which is certain as long as the code host was not asked, or has no trace of it.
 */
const mustGoOut = ({ pool, runtime }: SendDeps, dispatch: DispatchView): Promise<boolean> =>
  transact(pool, async (tx) => {
    const [run] = await lockRuns(tx, [dispatch.run_id])
    if ((await findDispatch(tx, dispatch.id))?.state !== 'requested') return false
    if (run && isUnderWay(run) && !isSuperseding(run)) return true
    const skips = dispatch.stack_ids.map((stackId) => ({
      to: { kind: 'stack' as const, runId: dispatch.run_id, stackId },
      event: { type: 'stack.skipped' },
      actor: 'system',
    }))
    const to = { kind: 'dispatch' as const, id: dispatch.id, runId: dispatch.run_id }
    await runtime.sendAll(tx, [...skips, { to, event: { type: 'runner.lost' }, actor: 'system' }])
    return false
  })

/** To an answer that is none, 503: nobody knows whether the workflow was started, and the next attempt looks first. */
const refusedEvent = (error: unknown, { fullName: repo, defaultBranch: branch }: Repository): MachineEvent => {
  if (!(error instanceof Refusal)) {
    const said = firstLine(error instanceof Error ? error.message : String(error))
    return { type: 'dispatch.refused', status: 503, message: dispatchUnanswered(said) }
  }
  const { hostStatus: status, hostMessage } = error
  const message = dispatchRefusal({ status, said: hostMessage, repo, branch })
  return { type: 'dispatch.refused', status, message }
}

const gone = (repository: Repository | undefined): { event: MachineEvent } => {
  const name = repository?.fullName ?? 'the repository'
  const what = repository?.suspended && !repository.removed ? 'is suspended' : 'was removed'
  const message = `The installation of the app on ${name} ${what}, so that no workflow can be started there. To do: install or unsuspend it. It is tried again each minute, for 30 minutes at most.`
  return { event: { type: 'dispatch.refused', status: 403, message } }
}
