import type { Tx } from '#db/sql.ts'
import { type RunStackView, runStackViews } from '#db/views/run-stack-view.ts'
import { Problem } from '#errors.ts'
import { type Refusal, type Snapshot, stateOf, statusOf, transit } from '#machines/index.ts'
import { type Actor, isOpen } from './actor.ts'
import { accept, type Draft, newDraft, noWrites, stand, standing, type Writes } from './draft.ts'
import type { Answer, MachineEvent, Message } from './message.ts'
import { perform } from './perform.ts'
import { save } from './save.ts'
import { find, runOf, type Stage, setStage } from './stage.ts'
import type { Tell } from './tells.ts'

/** What happened, for metrics: counted after the commit, so that nothing is counted that was rolled back. */
export type Settled = { runs: { status: string; mode: string; trigger: string }[]; stacks: SettledStack[] }
type SettledStack = { mode: string; status: string; seconds: number | null }

export type Delivered = { answers: Answer[]; settled: Settled; jobs: number }

/**
 * Handles messages in one transaction: locks their machines once, rehydrates once, one transition a message in order
 * (and those of the machines that it tells), one bulk write. A message that is refused is answered so and leaves nothing
 * behind; since transitions are pure, that is known before anything is written.
 */
export const deliver = async (tx: Tx, messages: readonly Message[], at: Date): Promise<Delivered> => {
  const stage = await setStage(tx, messages, at)
  const writes = noWrites()
  const before = new Map([...stage.actors.values()].map((actor) => [actor, statusOf(actor.snapshot)]))
  const answers: Answer[] = []
  for (const message of messages) answers.push(await handle(stage, writes, message))
  await save(stage, writes)
  await addViews(stage, messages, answers)
  return { answers, settled: settledSince(stage, before), jobs: writes.jobs.length }
}

const handle = async (stage: Stage, writes: Writes, message: Message): Promise<Answer> => {
  const actor = find(stage, message.to)
  const refused = message.permit?.({
    run: actor && runOf(stage, actor)?.row,
    stack: actor?.kind === 'stack' ? actor.row : undefined,
  })
  if (refused) return { outcome: 'refused', problem: refused }
  if (!actor) return { outcome: 'missing' }
  const status = (): string => statusOf(actor.snapshot)
  const eventName = `${actor.kind} ${actor.id} ${message.key}`
  if (message.key && stage.applied.has(eventName)) return { outcome: 'unchanged', status: status() }
  const draft = newDraft()
  const problem = await transitAll(stage, draft, { actor, event: message.event }, message, true)
  if (problem) return { outcome: 'refused', status: status(), problem }
  if (draft.journal.length === 0) return { outcome: 'unchanged', status: status() }
  if (message.document && actor.kind === 'stack') {
    const { jobs = [], ...document } = message.document({ run: runOf(stage, actor)?.row, stack: actor.row })
    draft.jobs.push(...jobs)
    draft.results.push({ runId: actor.row.run_id, stackId: actor.row.stack_id, ...document, at: stage.at })
  }
  if (message.key) stage.applied.add(eventName)
  accept(draft, writes, stage.at)
  return { outcome: 'moved', status: status() }
}

/**
 * The message's own transition and those it leads to. Depth first: whom an action tells has done all that follows from it
 * before the next action is looked at, so that a run which blocks, skips and then ends its stacks sees them as they are.
 */
const transitAll = async (
  stage: Stage,
  draft: Draft,
  { actor, event }: Tell,
  message: Message,
  own: boolean,
): Promise<Problem | undefined> => {
  const now = standing(draft, actor)
  const then = transit(actor.kind, now.snapshot, event as never)
  if (then.refusal) return problemOf(actor, then.refusal)
  if (!then.changed && then.actions.length === 0) return undefined
  const seq = now.seq + 1
  stand(draft, actor, then.snapshot, seq)
  draft.journal.push(journalRow(stage, actor, { now, then, seq, event, message, own }))
  for (const action of then.actions) {
    for (const tell of await perform(stage, draft, actor, action, message)) {
      const problem = await transitAll(stage, draft, tell, message, false)
      if (problem) return problem
    }
  }
  return undefined
}

/** A refusal as callers hear it. That of a lock names the lock, whose stack the machine itself does not know. */
const problemOf = (actor: Actor, { code, reason, details }: Refusal): Problem => {
  if (actor.kind !== 'lock' || code !== 'locked') return new Problem(code, reason, details ? { details } : {})
  const { stack_id, stack_key, run_id, pr_number, taken_at } = actor.row
  const conflict = {
    stack_id,
    stack_key,
    ...(run_id === null ? {} : { run_id }),
    ...(pr_number === null ? {} : { pr_number }),
    ...(taken_at === null ? {} : { taken_at: taken_at.toISOString() }),
  }
  return new Problem(code, `${stack_key} is ${reason}`, { details: { conflicts: [conflict] } })
}

type Step = {
  now: { snapshot: Snapshot }
  then: { snapshot: Snapshot; actions: object[] }
  seq: number
  event: MachineEvent
  message: Message
  own: boolean
}

const journalRow = (stage: Stage, actor: Actor, step: Step): Draft['journal'][number] => ({
  kind: actor.kind,
  id: actor.id,
  seq: step.seq,
  event: step.event,
  eventKey: step.own ? (step.message.key ?? null) : null,
  actor: step.message.actor,
  cause: step.message.cause ?? null,
  from: stateOf(step.now.snapshot),
  to: stateOf(step.then.snapshot),
  actions: step.then.actions,
  at: stage.at,
})

const addViews = async (stage: Stage, messages: readonly Message[], answers: Answer[]): Promise<void> => {
  const wanted = messages.flatMap((message, index) => {
    const actor = message.wantsView && !answers[index]?.problem ? find(stage, message.to) : undefined
    return actor?.kind === 'stack' ? [{ index, runId: actor.row.run_id, stackId: actor.row.stack_id }] : []
  })
  if (wanted.length === 0) return
  const views = await runStackViews(stage.tx, wanted)
  const byName = new Map<string, RunStackView>(views.map((view) => [`${view.run_id} ${view.stack_id}`, view]))
  for (const { index, runId, stackId } of wanted) {
    const view = byName.get(`${runId} ${stackId}`)
    const answer = answers[index]
    if (view && answer) answer.view = view
  }
}

const settledSince = (stage: Stage, before: Map<Actor, string>): Settled => {
  const settled: Settled = { runs: [], stacks: [] }
  for (const actor of stage.actors.values()) {
    if (!actor.dirty || actor.kind === 'lock' || actor.kind === 'dispatch') continue
    const status = statusOf(actor.snapshot)
    if (isOpen(status) || before.get(actor) === status) continue
    if (actor.kind === 'run') settled.runs.push({ status, mode: actor.row.mode, trigger: actor.row.trigger })
    else {
      const { startedAt, finishedAt } = actor
      const seconds = startedAt && finishedAt ? (+finishedAt - +startedAt) / 1000 : null
      settled.stacks.push({ mode: runOf(stage, actor)?.row.mode ?? 'plan', status, seconds })
    }
  }
  return settled
}
