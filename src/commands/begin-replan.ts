import { timeOfNextRun } from '#db/runs.ts'
import type { Tx } from '#db/sql.ts'
import type { Who } from '#runtime/message.ts'
import { beginRun } from './begin-run.ts'
import type { Deps } from './deps.ts'
import { type ScheduledStack, scheduleStacks } from './schedule-stacks.ts'

/** Stacks that are planned on a commit whose graph is known: mostly again, on the one that they were planned on before. */
export type Replan = {
  repoId: number
  prNumber: number | null
  sha: string
  baseSha: string | null
  /** A check for drift is a plan of the default branch that nobody will apply. */
  mode?: 'plan' | 'drift'
  trigger: 'comment' | 'rerequest' | 'push' | 'schedule'
  requestedBy: string
  graphId: string
  /** As the run before had them, waves too. */
  stacks: readonly ScheduledStack[]
  /** When the code host was asked for the commit, where that matters; now without it. */
  readAt?: Date
  who: Who
}

/**
 * Begins a plan run that the service dispatches itself, in the caller's transaction, which holds the row of the pull request.
 * Answers its id.
 */
export const beginReplan = async (deps: Pick<Deps, 'runtime' | 'clock'>, tx: Tx, replan: Replan): Promise<string> => {
  const { runtime, clock } = deps
  const { repoId, prNumber, mode = 'plan', trigger, who } = replan
  const row = {
    repoId,
    prNumber,
    sha: replan.sha,
    baseSha: replan.baseSha,
    mode,
    trigger,
    requestedBy: replan.requestedBy,
    workflowRunId: null,
    workflowRunAttempt: null,
    graphId: replan.graphId,
    createdAt: await timeOfNextRun(tx, repoId, prNumber, replan.readAt ?? clock.now()),
  }
  const runId = await beginRun(runtime, tx, row, who)
  // plans and checks run under `default`, whatever environment the stack is applied in (spec, 'Runner token rules', 5)
  const stacks = replan.stacks.map((stack) => ({ ...stack, environment: 'default' }))
  const run = { id: runId, repoId, mode }
  const tallies = await scheduleStacks(runtime, tx, { run, stacks, keys: [], who })
  const event = { type: 'replan.requested', tallies }
  const [sent] = await runtime.sendAll(tx, [{ to: { kind: 'run', id: runId }, event, ...who }])
  if (sent?.problem) throw sent.problem
  return runId
}
