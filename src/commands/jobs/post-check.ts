import { type Caller, ownerOf } from '#commands/callers/caller.ts'
import { claimProblem, isPlanner, stackProblem } from '#commands/callers/claim-problem.ts'
import { dispatchOf } from '#commands/dispatches/bind-dispatch.ts'
import { supersededProblem } from '#commands/runs/superseded-problem.ts'
import { loadStacksByKey, type RunStackRow } from '#db/machines/run-stacks.ts'
import { lockRuns, type RunRow } from '#db/machines/runs.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { type CheckRow, countChecks, findCheck, putCheck } from '#db/runs/checks.ts'
import type { DispatchView } from '#db/views/dispatch-view.ts'
import { limits } from '#domain/limits.ts'
import { isOpen } from '#domain/run-status.ts'
import { Problem } from '#errors.ts'
import { makeJob } from '#jobs/job.ts'
import type { Deps } from '../deps.ts'

/** The body of a verdict (docs/interface.md, 'POST /v1/runs/{id}/stacks/{key}/checks/{name}'). */
export type CheckVerdict = {
  status: 'pass' | 'fail' | 'warn'
  summary?: string | undefined
  details?: string | undefined
  details_url?: string | undefined
}

export type ShapedCheck = {
  name: string
  status: CheckVerdict['status']
  summary?: string
  details_url?: string
  updated_at: string
}

/** Records a named verdict on a stack; it replaces the earlier one, until the run is finished. */
export const postCheck = async (
  deps: Deps,
  caller: Caller,
  at: { runId: string; key: string; name: string },
  verdict: CheckVerdict,
  cause?: string,
): Promise<ShapedCheck> => {
  const dispatch = await dispatchOf(deps, caller, at.runId, cause)
  const posted = await deps.runtime.transactInTurn({ owner: ownerOf(caller), row: at.runId }, async (tx) => {
    const [run] = await lockRuns(tx, [at.runId])
    if (!run) return new Problem('not_found', `run ${at.runId} does not exist`)
    const problem = mayPost(caller, run, dispatch)
    if (problem) return problem
    const [stack] = await loadStacksByKey(tx, [{ runId: at.runId, key: at.key }])
    if (!stack) return new Problem('not_found', `run ${at.runId} has no stack ${at.key}`)
    const foreign = stackProblem(caller, stack, dispatch)
    if (foreign) return foreign
    const recorded = await findCheck(tx, run.id, stack.stack_id, at.name)
    if (recorded && sameVerdict(recorded, verdict)) return recorded
    const late = lateProblem(caller, run, stack)
    if (late) return late
    // counted under the run's lock: of two that come together the second counts the first
    if (!recorded && (await countChecks(tx, run.id, stack.stack_id)) >= limits.checksOfStack) return tooMany(stack)
    const check = checkOf(at.name, verdict, deps.clock.now())
    await putCheck(tx, { ...check, run_id: run.id, stack_id: stack.stack_id })
    const more = { installationId: run.installation_id, cause, paced: true }
    await addJobs(tx, [makeJob('publish_run', { run_id: run.id }, more)])
    return check
  })
  if (posted instanceof Problem) throw posted
  deps.runtime.wake()
  return shapeCheck(posted)
}

const mayPost = (caller: Caller, run: RunRow, dispatch: DispatchView | undefined): Problem | undefined => {
  if (caller.kind === 'key' && run.trigger !== 'manual') {
    return new Problem('forbidden', 'an API key may post verdicts of manual runs only')
  }
  return claimProblem(caller, run, dispatch) ?? (run.status === 'superseded' ? supersededProblem() : undefined)
}

/** For a pull request's job a finished plan run is final; verdicts are posted before results. */
const lateProblem = (caller: Caller, run: RunRow, stack: RunStackRow): Problem | undefined => {
  if (!isPlanner(caller) || isOpen(run.status)) return undefined
  return new Problem('conflict', `the run is ${run.status}: the verdicts of ${stack.key} can only be repeated`)
}

const tooMany = ({ key }: RunStackRow): Problem =>
  new Problem(
    'conflict',
    `${key} has verdicts of ${limits.checksOfStack} names in this run: post the others under one of these names`,
  )

const checkOf = (name: string, verdict: CheckVerdict, at: Date): CheckRow => ({
  name,
  status: verdict.status,
  summary: verdict.summary ?? null,
  details: verdict.details ?? null,
  details_url: verdict.details_url ?? null,
  updated_at: at,
})

const sameVerdict = (recorded: CheckRow, verdict: CheckVerdict): boolean =>
  recorded.status === verdict.status &&
  recorded.summary === (verdict.summary ?? null) &&
  recorded.details === (verdict.details ?? null) &&
  recorded.details_url === (verdict.details_url ?? null)

const shapeCheck = (check: CheckRow): ShapedCheck => ({
  name: check.name,
  status: check.status,
  updated_at: check.updated_at.toISOString(),
  ...(check.summary ? { summary: check.summary } : {}),
  ...(check.details_url ? { details_url: check.details_url } : {}),
})
