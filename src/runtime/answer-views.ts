import type { BesideMachine } from '#db/machines/beside-machine.ts'
import type { ResultRow } from '#db/machines/results.ts'
import type { ReportedStackRow } from '#db/machines/run-stacks.ts'
import { RunStackView, runStackViews, type ShownRunStack } from '#db/views/runs/run-stack-view.ts'
import { stateOf, statusOf } from '#machines/index.ts'
import type { LockActor, StackActor } from './actor.ts'
import { stackRowId } from './address.ts'
import type { Answer, Message } from './message.ts'
import { find, type Stage } from './stage.ts'

type Handled = { messages: readonly Message[]; answers: Answer[]; results: readonly ResultRow[] }

/**
 * Gives the answers that want it the stack's row as it was written. Of a new result the transaction knows all that is shown, so
 * nothing is read again; only one that was reported before is read.
 */
export const addViews = async (stage: Stage, { messages, answers, results }: Handled): Promise<void> => {
  const newest = new Map(results.map((result) => [stackRowId(result.run_id, result.stack_id), result]))
  const unknown: { answer: Answer; actor: StackActor }[] = []
  for (const [index, { wantsView, to }] of messages.entries()) {
    const answer = answers[index]
    const actor = wantsView && answer && !answer.problem ? find(stage, to) : undefined
    if (!answer || actor?.kind !== 'stack') continue
    const result = newest.get(actor.id)
    if (result && 'beside' in actor.row) answer.view = viewOf(stage, actor, actor.row, result)
    else unknown.push({ answer, actor })
  }
  if (unknown.length > 0) await readViews(stage, unknown)
}

const readViews = async ({ tx }: Stage, unknown: readonly { answer: Answer; actor: StackActor }[]): Promise<void> => {
  const refs = unknown.map(({ actor: { row } }) => ({ runId: row.run_id, stackId: row.stack_id }))
  const views = await runStackViews(tx, refs)
  const byName = new Map(views.map((view) => [stackRowId(view.run_id, view.stack_id), view]))
  for (const { answer, actor } of unknown) {
    const view = byName.get(actor.id)
    if (view) answer.view = view
  }
}

/** The text of a new result is whole in its row, and not in the bucket yet. */
const viewOf = (
  stage: Stage,
  { snapshot, startedAt, finishedAt }: StackActor,
  row: ReportedStackRow,
  { body, plan_text }: ResultRow,
): ShownRunStack => {
  const { run_id, stack_id, key, wave, environment, plan_output } = row
  const { lock: read, ...beside } = row.beside
  const own = stage.actors.lock.get(stack_id)
  const lock = own ? heldBy(own) : read
  const bytes = plan_text === null ? null : Buffer.byteLength(plan_text)
  return {
    ...{ run_id, stack_id, key, wave, environment, plan_output },
    ...beside,
    status: RunStackView.shape.status.parse(statusOf(snapshot)),
    blocked_by: snapshot.context.blocked_by,
    started_at: startedAt,
    finished_at: finishedAt,
    lock_run_id: lock?.run_id ?? null,
    lock_pr_number: lock?.pr_number ?? null,
    lock_taken_at: lock?.taken_at ? new Date(lock.taken_at) : null,
    ...{ result: body, plan_text, plan_url: null, plan_bytes: bytes, kept_bytes: bytes },
  }
}

/** A lock as the transaction leaves it: an apply's result may have ended it. */
const heldBy = ({ snapshot }: LockActor): BesideMachine['lock'] => {
  const { run_id, pr_number = null, taken_at = null } = snapshot.context
  return run_id === undefined || stateOf(snapshot) === 'free' ? null : { run_id, pr_number, taken_at }
}
