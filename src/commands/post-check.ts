import { type CheckRow, findCheck, putCheck } from '#db/checks.ts'
import { addJobs } from '#db/jobs.ts'
import { loadStacksByKey, type RunStackRow } from '#db/run-stacks.ts'
import { lockRuns, type RunRow } from '#db/runs.ts'
import { transact } from '#db/transact.ts'
import type { DispatchView } from '#db/views/dispatch-view.ts'
import { Problem } from '#errors.ts'
import { publishRunJob } from '#runtime/effects.ts'
import { dispatchOf } from './bind-dispatch.ts'
import { type Caller, claimProblem, isFinished, stackProblem, supersededProblem } from './caller.ts'
import type { Deps } from './deps.ts'

/** The body of a verdict (spec, 'CheckVerdict'). */
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

/** Records a named verdict on a stack: in the place of the earlier one, until the run is finished. */
export const postCheck = async (
  deps: Deps,
  caller: Caller,
  at: { runId: string; key: string; name: string },
  verdict: CheckVerdict,
  cause?: string,
): Promise<ShapedCheck> => {
  const dispatch = await dispatchOf(deps, caller, at.runId, cause)
  const posted = await transact(deps.pool, async (tx) => {
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
    const check = checkOf(at.name, verdict, deps.clock.now())
    await putCheck(tx, { ...check, runId: run.id, stackId: stack.stack_id, at: check.updated_at })
    await addJobs(tx, [publishRunJob(run.id, run.installation_id, cause ?? null)])
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

/** For a pull request's job the plan run is final once it is finished; verdicts are posted before results. */
const lateProblem = (caller: Caller, run: RunRow, stack: RunStackRow): Problem | undefined => {
  const ofPullRequest = caller.kind === 'runner' && caller.claims.event === 'pull_request'
  if (!ofPullRequest || !isFinished(run)) return undefined
  return new Problem('conflict', `the run is ${run.status}: the verdicts of ${stack.key} can only be repeated`)
}

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
