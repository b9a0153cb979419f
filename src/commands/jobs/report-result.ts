import { actorOf, type Caller } from '#commands/callers/caller.ts'
import { claimProblem, isPlanner, stackProblem } from '#commands/callers/claim-problem.ts'
import { dispatchOf } from '#commands/dispatches/bind-dispatch.ts'
import { supersededProblem } from '#commands/runs/superseded-problem.ts'
import { type ShapedRunStack, shapeRunStack } from '#commands/shapes/shape-run.ts'
import type { DispatchView } from '#db/views/dispatch-view.ts'
import { limits } from '#domain/limits.ts'
import { canonicalResult, outcomeOf, type StackResult } from '#domain/result.ts'
import { isOpen } from '#domain/run-status.ts'
import { wholeCharacters } from '#domain/texts/plan-beginning.ts'
import { invalid, Problem } from '#errors.ts'
import { nobody } from '#jobs/definition.ts'
import { makeJob } from '#jobs/job.ts'
import type { Facts, ResultDocument } from '#runtime/message.ts'
import { shortDigest } from '#short-digest.ts'
import type { Deps } from '../deps.ts'

/**
 * Records a job's report on a stack and returns the stack's row (docs/interface.md, 'POST
 * /v1/runs/{id}/stacks/{key}/result').
 */
export const reportResult = async (
  deps: Deps,
  caller: Caller,
  runId: string,
  key: string,
  body: StackResult,
  cause?: string,
): Promise<ShapedRunStack> => {
  const dispatch = await dispatchOf(deps, caller, runId, cause)
  // stored twice for each result: 132 bits tell one report from another
  const digest = shortDigest(canonicalResult(body))
  const answer = await deps.runtime.send({
    to: { kind: 'stack', runId, key },
    event: { type: 'result.reported', outcome: outcomeOf(body.mode, body), digest },
    actor: actorOf(caller),
    cause,
    document: ({ stack }) => {
      const document = noteWorkflowRun(caller, documentOf(body, stack?.plan_output === 'summary'))
      return deps.artifacts && document.plan_text
        ? { ...document, jobs: [makeJob('store_plans', { run_id: runId }, { cause, ...nobody })] }
        : document
    },
    permit: (facts) => mayReport(caller, facts, body, dispatch),
    wantsView: true,
    installationId: caller.kind === 'runner' ? caller.repository.installation_id : undefined,
  })
  if (answer.problem) throw answer.problem
  if (!answer.view) throw new Problem('not_found', `run ${runId} has no stack ${key}`)
  return shapeRunStack(answer.view)
}

/** Judged under the run's lock, in the order in which a caller would want to hear the problems. */
const mayReport = (
  caller: Caller,
  { run, stack }: Facts,
  body: StackResult,
  dispatch: DispatchView | undefined,
): Problem | undefined => {
  if (!run) return new Problem('not_found', 'the run does not exist, or the stack is not part of it')
  if (caller.kind === 'key' && run.trigger !== 'manual') {
    return new Problem('forbidden', 'an API key may report results of manual runs only')
  }
  const foreign = claimProblem(caller, run, dispatch) ?? (stack && stackProblem(caller, stack, dispatch))
  if (foreign) return foreign
  const isFinal = isPlanner(caller) && !isOpen(run.status)
  // the late result of an unknown stack matters more than the order of commits: something was changed
  if (run.status === 'superseded' && (isFinal || stack?.status !== 'unknown')) return supersededProblem()
  if (body.mode !== run.mode) return invalid('mode', `the run's mode is ${run.mode}`)
  return isFinal && stack?.status === 'unknown' ? finalProblem(run) : undefined
}

/** A pull request's job may only repeat itself: jobs that are run again by themselves cannot repair a plan that has ended. */
const finalProblem = ({ status }: { status: string }): Problem =>
  new Problem(
    'conflict',
    `the run is ${status}, and takes no results of the pull request's jobs any more: re-run all jobs, push, or comment svc plan`,
  )

/**
 * What is kept of a result beside the event. If a stack's plan_output is summary, no text is kept: neither the plan's text
 * nor the tool's errors, which quote values; only what the client says of a failure of its own.
 */
const documentOf = (body: StackResult, summaryOnly: boolean): ResultDocument => {
  const { plan_text: text, ...rest } = body
  if (summaryOnly) {
    const { error_text: _, ...counts } = rest
    return { body: body.status === 'error' ? rest : counts, plan_text: null }
  }
  if (text === undefined || Buffer.byteLength(text) <= limits.planTextBytes) {
    return { body: rest, plan_text: text ?? null }
  }
  return { body: { ...rest, truncated: true }, plan_text: wholeCharacters(text, limits.planTextBytes) }
}

/**
 * The workflow run that has the saved plan as an artifact: an apply fetches it from there. It is taken from the token, since
 * a body may name any workflow run, and kept beside the report, shown to no one.
 */
const noteWorkflowRun = (caller: Caller, document: ResultDocument): ResultDocument =>
  caller.kind === 'runner'
    ? { ...document, body: { ...document.body, workflow_run_id: caller.claims.workflowRunId } }
    : document
