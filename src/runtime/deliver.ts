import type { TenantTx } from '#db/tenant.ts'
import { isOpen } from '#domain/run-status.ts'
import { Problem } from '#errors.ts'
import { type Action, isOf } from '#machines/actions.ts'
import { type Kind, type Refusal, type Snapshot, stateOf, statusOf, transit } from '#machines/index.ts'
import { type Actor, journalPlace, type RunActor, type StackActor } from './actor.ts'
import { addViews } from './answer-views.ts'
import { accept, type Draft, newDraft, noWrites, stand, standing, type Writes } from './draft.ts'
import type { Mail } from './mail.ts'
import type { Answer, EventOf, Message, MessageTo } from './message.ts'
import { perform } from './perform.ts'
import { save } from './save.ts'
import { eventName, find, runOf, type Stage, setStage } from './stage.ts'
import type { Tell } from './tells.ts'

/** What ended, for metrics: counted after the commit, so nothing is counted that was rolled back. */
export type Settled = { runs: { status: string; mode: string; trigger: string }[]; stacks: SettledStack[] }
type SettledStack = { mode: string; status: string; seconds: number | null }

/** `jobsInMs`: when the first of the jobs that it queued is due; null if it queued none. */
export type Delivered = { answers: Answer[]; settled: Settled; jobsInMs: number | null }

/**
 * Handles messages in one transaction: locks and rehydrates their machines once, makes one transition for each message in
 * order (and those of the machines it tells), and writes in bulk. A refused message gets its refusal as the answer and leaves
 * nothing behind: transitions are pure, so this is known before anything is written.
 */
export const deliver = async (tx: TenantTx, mail: Mail, now: () => Date): Promise<Delivered> => {
  const { stage, messages } = await setStage(tx, mail, now)
  const writes = noWrites()
  const before = statusesOf(stage)
  const answers: Answer[] = []
  for (const message of messages) answers.push(await handle(stage, writes, message))
  const jobsInMs = await save(stage, writes)
  await addViews(stage, { messages, answers, results: writes.results })
  return { answers, settled: settledSince(stage, before), jobsInMs }
}

const handle = async (stage: Stage, writes: Writes, message: Message): Promise<Answer> => {
  const tell = tellOf(stage, message)
  const actor = tell?.actor
  const refused = message.permit?.({
    run: actor && runOf(stage, actor)?.row,
    stack: actor?.kind === 'stack' ? actor.row : undefined,
  })
  if (!tell || !actor) return { outcome: 'missing', ...(refused && { problem: refused }) }
  if (refused) return { outcome: 'refused', problem: refused }
  const status = (): string => statusOf(actor.snapshot)
  const applied = message.key === undefined ? undefined : eventName(actor, message.key)
  if (applied && stage.applied.has(applied)) return { outcome: 'unchanged', status: status() }
  const draft = newDraft()
  const problem = await transitAll(stage, draft, tell, message, true)
  if (problem) return { outcome: 'refused', status: status(), problem }
  if (draft.journal.length === 0) return { outcome: 'unchanged', status: status() }
  if (message.document && actor.kind === 'stack') {
    const { jobs = [], ...document } = message.document({ run: runOf(stage, actor)?.row, stack: actor.row })
    draft.jobs.push(...jobs)
    draft.results.push({ run_id: actor.row.run_id, stack_id: actor.row.stack_id, ...document, reported_at: stage.at })
  }
  if (applied) stage.applied.add(applied)
  accept(draft, writes, stage.at)
  return { outcome: 'moved', status: status() }
}

/** A message's event with the machine it is for, if that exists. */
const tellOf = <K extends Kind>(stage: Stage, { to, event }: MessageTo<K>): Tell<K> | undefined => {
  const actor = find(stage, to)
  return actor && { actor, event }
}

/**
 * The message's own transition and those it leads to. Depth first: a machine that is told does everything that follows before
 * the next action is performed, so a run that blocks, skips and then ends its stacks sees their current state.
 */
const transitAll = async (
  stage: Stage,
  draft: Draft,
  tell: Tell,
  message: Message,
  own: boolean,
): Promise<Problem | undefined> => {
  const { actor, event } = tell
  await stage.breath()
  const { from, then, seq } = advance(draft, tell)
  if (then.refusal) return problemOf(actor, then.refusal)
  if (seq === undefined) return undefined
  draft.journal.push(journalRow(stage, actor, { from, then, seq, event, message, own }))
  for (const action of then.actions) {
    for (const next of await perform(stage, draft, actor, action, message)) {
      const problem = await transitAll(stage, draft, next, message, false)
      if (problem) return problem
    }
  }
  return undefined
}

/** One transition in the draft; it gets a number in the journal, unless the event is refused or does nothing. */
const advance = <K extends Kind>(draft: Draft, { actor, event }: Tell<K>) => {
  const now = standing(draft, actor)
  const then = transit(actor.kind, now.snapshot, event)
  const isStep = !then.refusal && (then.changed || then.actions.length > 0)
  const seq = isStep ? now.seq + 1 : undefined
  if (seq !== undefined) stand(draft, actor, { snapshot: then.snapshot, seq })
  return { from: now.snapshot, then, seq }
}

/** A refusal as callers get it. A lock's refusal names the lock, since the machine itself does not know its stack. */
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
  from: Snapshot
  then: { snapshot: Snapshot; actions: Action[] }
  seq: number
  event: EventOf<Kind>
  message: Message
  own: boolean
}

/** That a lock is released is of the run that held it, that it is taken over of the one that takes it. */
const holderOf = ({ from, then }: Step): string | null => holderIn(then.snapshot) ?? holderIn(from) ?? null

const holderIn = ({ context }: Snapshot): string | undefined => ('run_id' in context ? context.run_id : undefined)

const journalRow = (stage: Stage, actor: Actor, step: Step): Draft['journal'][number] => ({
  ...journalPlace(actor),
  ...(actor.kind === 'lock' ? { run_id: holderOf(step) } : {}),
  seq: step.seq,
  event: step.event,
  event_key: step.own ? (step.message.key ?? null) : null,
  actor: step.message.actor,
  cause: step.message.cause ?? null,
  state_from: stateOf(step.from),
  state_to: stateOf(step.then.snapshot),
  actions: step.then.actions.map(noted),
  at: stage.at,
})

/** Without the event that others were told: it is in their own journals, in the next rows. */
const noted = (action: Action): object => {
  const params = isOf('tell', action) ? { ...action.params, event: undefined } : action.params
  const isBare = Object.values(params).every((value) => value === undefined)
  return isBare ? { type: action.type } : { ...action, params }
}

/** The runs and stack rows: the metrics count how these end. */
const counted = ({ actors: { run, stack } }: Stage): (RunActor | StackActor)[] => [...run.values(), ...stack.values()]

const statusesOf = (stage: Stage): Map<Actor, string> =>
  new Map(counted(stage).map((actor) => [actor, statusOf(actor.snapshot)]))

const settledSince = (stage: Stage, before: Map<Actor, string>): Settled => {
  const settled: Settled = { runs: [], stacks: [] }
  for (const actor of counted(stage)) {
    if (!actor.dirty) continue
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
