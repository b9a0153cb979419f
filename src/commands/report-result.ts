import { createHash } from 'node:crypto'
import type { DispatchView } from '#db/views/dispatch-view.ts'
import { limits } from '#domain/limits.ts'
import { wholeCharacters } from '#domain/plan-beginning.ts'
import { canonicalResult, outcomeOf, type StackResult } from '#domain/result.ts'
import { invalid, Problem } from '#errors.ts'
import type { Facts, ResultDocument } from '#runtime/message.ts'
import { dispatchOf } from './bind-dispatch.ts'
import { actorOf, type Caller, claimProblem, isFinished, stackProblem, supersededProblem } from './caller.ts'
import type { Deps } from './deps.ts'
import { type ShapedRunStack, shapeRunStack } from './shapes.ts'
import { storePlansJob } from './store-plans.ts'

/** Records what a job reports of a stack and answers the stack's row (spec, 'POST /v1/runs/{id}/stacks/{key}/result'). */
export const reportResult = async (
  deps: Deps,
  caller: Caller,
  runId: string,
  key: string,
  body: StackResult,
  cause?: string,
): Promise<ShapedRunStack> => {
  const dispatch = await dispatchOf(deps, caller, runId, cause)
  const digest = createHash('sha256').update(canonicalResult(body)).digest('hex')
  const answer = await deps.runtime.send({
    to: { kind: 'stack', runId, key },
    event: { type: 'result.reported', outcome: outcomeOf(body.mode, body), digest },
    actor: actorOf(caller),
    cause,
    document: ({ stack }) => {
      const document = noteWorkflowRun(caller, documentOf(body, stack?.plan_output === 'summary'))
      return deps.artifacts && document.planText
        ? { ...document, jobs: [storePlansJob(runId, cause ?? null)] }
        : document
    },
    permit: (facts) => mayReport(caller, facts, body, dispatch),
    wantsView: true,
  })
  if (answer.problem) throw answer.problem
  if (!answer.view) throw new Problem('not_found', `run ${runId} has no stack ${key}`)
  return shapeRunStack(answer.view)
}

/** Judged under the run's lock, in the order in which a caller would want to hear it. */
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
  const isFinal = caller.kind === 'runner' && caller.claims.event === 'pull_request' && isFinished(run)
  // the late result of an unknown stack is worth more than the order of commits: something was changed
  if (run.status === 'superseded' && (isFinal || stack?.status !== 'unknown')) return supersededProblem()
  if (body.mode !== run.mode) return invalid('mode', `the run's mode is ${run.mode}`)
  return isFinal && stack?.status === 'unknown' ? finalProblem(run) : undefined
}

/** For a pull request's job nothing but a repetition: jobs that are run again by themselves cannot mend a plan that has ended. */
const finalProblem = ({ status }: { status: string }): Problem =>
  new Problem(
    'conflict',
    `the run is ${status}, and takes no results of the pull request's jobs any more: re-run all jobs, push, or comment svc plan`,
  )

/**
 * What is kept of a result beside the event. Of a stack whose plan_output is summary no text is: neither the plan's nor that
 * of the tool's errors, which quote values; only what the client says of a failure of its own.
 */
const documentOf = (body: StackResult, summaryOnly: boolean): ResultDocument => {
  const { plan_text: text, ...rest } = body
  if (summaryOnly) {
    const { error_text: _, ...counts } = rest
    return { body: body.status === 'error' ? rest : counts, planText: null }
  }
  if (text === undefined || Buffer.byteLength(text) <= limits.planTextBytes) {
    return { body: rest, planText: text ?? null }
  }
  return { body: { ...rest, truncated: true }, planText: wholeCharacters(text, limits.planTextBytes) }
}

/**
 * Whose artifact a saved plan is: an apply fetches it from there. From the token, since a body may name any workflow run; kept
 * beside what was reported, and shown to nobody.
 */
const noteWorkflowRun = (caller: Caller, document: ResultDocument): ResultDocument =>
  caller.kind === 'runner'
    ? { ...document, body: { ...document.body, workflow_run_id: caller.claims.workflowRunId } }
    : document
