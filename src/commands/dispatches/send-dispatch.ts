import type { WorkflowRun } from '#codehost/port.ts'
import { Refusal } from '#codehost/refusal.ts'
import { RetryAfter } from '#codehost/retry-after.ts'
import { lockRuns } from '#db/machines/runs.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { transact } from '#db/transact.ts'
import { stacksOfDispatch } from '#db/views/dispatch-stacks.ts'
import { type DispatchView, findDispatch } from '#db/views/dispatch-view.ts'
import { type DispatchInputs, dispatchEntry, dispatchInputs } from '#domain/dispatch/dispatch-inputs.ts'
import { dispatchPutOff, dispatchRefusal, dispatchUnanswered } from '#domain/dispatch/dispatch-refusal.ts'
import { runWorkflow, waveLabel } from '#domain/run-name.ts'
import { isUnderWay } from '#domain/run-status.ts'
import { firstLine } from '#domain/texts/first-line.ts'
import type { EventOf } from '#runtime/message.ts'
import type { Deps } from '../deps.ts'
import { followWorkflowRun, workflowRunOf } from './follow-workflow-run.ts'
import { isSuperseding } from './giving-way.ts'

type SendDeps = Pick<Deps, 'pool' | 'findRepository' | 'runtime' | 'codehost' | 'clock' | 'metrics' | 'log'>

/** `again`: it may have been sent before, by a process that ended before recording it. */
export type Sending = { id: string; again: boolean; cause: string | null }

/** A dispatch that waited longer may already be out: the database may have been restored from a backup since. */
const promptMs = 60_000

type Sent = { found: WorkflowRun } | { event: EventOf<'dispatch'> }

/**
 * Starts the workflow of a requested dispatch, and records what the code host said. If it may have been started before, its
 * workflow run is searched for first: a second one would apply twice. Every failure goes to the dispatch, which asks to be sent
 * again a minute later or when the code host says, for half an hour.
 */
export const sendDispatch = async (deps: SendDeps, { id, again, cause }: Sending): Promise<boolean> => {
  const dispatch = await findDispatch(deps.pool, id)
  if (dispatch?.state !== 'requested') return false
  const repository = await deps.findRepository(dispatch.repo_id)
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
    const request = { workflow: runWorkflow, ref: repository.default_branch, inputs }
    const workflowRunId = await deps.codehost.dispatchWorkflow(repository, request)
    deps.metrics.dispatched(dispatch.mode, 'ok')
    const named = workflowRunId === undefined ? {} : { workflow_run_id: workflowRunId }
    return { event: { type: 'dispatch.sent', ...named } }
  })
}

/** What the code host answers; its refusals, and missing answers, go to the dispatch. */
const ask = async <S extends Sent | undefined>(
  { metrics, log }: SendDeps,
  dispatch: DispatchView,
  repository: Repository,
  request: () => Promise<S>,
): Promise<S | { event: EventOf<'dispatch'> }> => {
  try {
    return await request()
  } catch (error) {
    metrics.dispatched(dispatch.mode, 'error')
    log.warn({ err: error, dispatch: dispatch.id, run: dispatch.run_id }, 'a dispatch was not accepted')
    return { event: refusedEvent(error, repository) }
  }
}

/** The same each time it is sent: from the rows as they were made, whatever changed since. */
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
  const found = workflowRunOf(dispatch, await codehost.listWorkflowRuns(repository, runWorkflow, since))
  return found && { found }
}

/**
 * Whether it still must be sent: not if another worker sent it while this one stalled and lost its lease. A dispatch whose
 * run ended, or is being replaced by a newer commit, sends nothing any more: its stacks are skipped, which is certain as long
 * as the code host was not asked, or has no trace of it.
 */
const mustGoOut = ({ pool, runtime }: SendDeps, dispatch: DispatchView): Promise<boolean> =>
  transact(pool, async (tx) => {
    const [run] = await lockRuns(tx, [dispatch.run_id])
    if ((await findDispatch(tx, dispatch.id))?.state !== 'requested') return false
    if (run && isUnderWay(run.status) && !isSuperseding(run)) return true
    const skips = dispatch.stack_ids.map((stackId) => ({
      to: { kind: 'stack' as const, runId: dispatch.run_id, stackId },
      event: { type: 'stack.skipped' as const },
      actor: 'system',
    }))
    const to = { kind: 'dispatch' as const, id: dispatch.id, runId: dispatch.run_id }
    await runtime.sendAll(tx, [...skips, { to, event: { type: 'runner.lost' }, actor: 'system' }])
    return false
  })

/** 503 for a missing answer: it is unknown whether the workflow was started, and the next attempt looks first. */
const refusedEvent = (error: unknown, { full_name: repo, default_branch: branch }: Repository): EventOf<'dispatch'> => {
  if (error instanceof RetryAfter)
    return { type: 'dispatch.refused', status: 429, message: dispatchPutOff(repo), retry_after: error.seconds }
  if (!(error instanceof Refusal)) {
    const said = firstLine(error instanceof Error ? error.message : String(error))
    return { type: 'dispatch.refused', status: 503, message: dispatchUnanswered(said) }
  }
  const { hostStatus: status, hostMessage } = error
  const message = dispatchRefusal({ status, said: hostMessage, repo, branch })
  return { type: 'dispatch.refused', status, message }
}

const gone = (repository: Repository | undefined): { event: EventOf<'dispatch'> } => {
  const name = repository?.full_name ?? 'the repository'
  const what = repository?.suspended && !repository.removed ? 'is suspended' : 'was removed'
  const message = `The installation of the app on ${name} ${what}, so no workflow can be started there. To do: install or unsuspend it. It is tried again each minute, for 30 minutes at most.`
  return { event: { type: 'dispatch.refused', status: 403, message } }
}
