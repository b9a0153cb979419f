import type { NewJournalRow } from '#db/machines/journal.ts'
import { Problem } from '#errors.ts'
import { type Action, type ActionOf, isOf } from '#machines/actions.ts'
import { type Kind, type Refusal, type Snapshot, stateOf, type Transition, transit } from '#machines/index.ts'
import { type Actor, journalPlace } from './actor.ts'
import { type Draft, stand, standing } from './draft.ts'
import { lockConflict } from './lock-conflict.ts'
import type { EventOf, Message } from './message.ts'
import { perform } from './perform.ts'
import type { Stage } from './stage.ts'
import type { Tell } from './tells.ts'

/** A message that is being handled: everything it leads to goes into one draft. */
export type Handling = { stage: Stage; draft: Draft; message: Message }

/**
 * The message's own transition and those it leads to. Depth first: a machine that is told does everything that follows before
 * the next action is performed, so a run that blocks, skips and then ends its stacks sees their current state.
 */
export const transitAll = async (handling: Handling, tell: Tell, own = false): Promise<Problem | undefined> => {
  const { stage, draft } = handling
  await stage.breath()
  const { from, then, seq } = advance(draft, tell)
  if (then.refusal) return problemOf(tell.actor, then.refusal)
  if (seq === undefined) return undefined
  draft.journal.push(journalRow(handling, tell, { from, then, seq, own }))
  for (const action of then.actions) {
    const problem = await followed(handling, tell.actor, action)
    if (problem) return problem
  }
  return undefined
}

const followed = async (handling: Handling, actor: Actor, action: Action): Promise<Problem | undefined> => {
  const { stage, draft, message } = handling
  const tells = await perform(stage, draft, actor, action, message)
  const [first, ...more] = tells
  if (more.length > 0) return transitTogether(handling, tells)
  return first && transitAll(handling, first)
}

/**
 * The transitions of machines that are told together: stack rows of one run, or its locks. What is alike is done once: the same event in
 * the same snapshot has the same outcome, is one entry for the journal and asks for the same jobs. Their run hears afterwards how
 * many have settled alike. A failure that blocks 5,000 stacks of ten waves is ten transitions of rows, and ten of the run; one by one
 * they were 10,000, of 40 µs each.
 */
const transitTogether = async (handling: Handling, tells: readonly Tell[]): Promise<Problem | undefined> => {
  const { stage, draft } = handling
  const known: Known = { run: new Map(), stack: new Map(), lock: new Map(), dispatch: new Map() }
  const entries: Entries = new Map()
  const news: News = new Map()
  for (const tell of tells) {
    const breath = stage.breath()
    if (breath) await breath
    const step = advance(draft, tell, known)
    const { then, seq } = step
    if (then.refusal) return problemOf(tell.actor, then.refusal)
    if (seq === undefined) continue
    const isFirst = !entries.has(then)
    enter(handling, entries, tell, { ...step, seq, own: false })
    for (const action of then.actions) {
      if (isSettling(action)) hear(news, tell.actor, action)
      else if (isFirst || !isOf('job', action)) {
        const problem = await followed(handling, tell.actor, action)
        if (problem) return problem
      }
    }
  }
  for (const { actor, event, stacks } of news.values()) {
    const told = stacks > 1 ? { ...event, stacks } : event
    const problem = await followed(handling, actor, { type: 'tellRun', params: { event: told } })
    if (problem) return problem
  }
  return undefined
}

type Entries = Map<Transition, NewJournalRow[]>

/** Adds a machine to the journal's entry of those that made the same transition, each its one of that number. */
const enter = (handling: Handling, entries: Entries, tell: Tell, step: Step): void => {
  const alike = entries.get(step.then) ?? []
  const entry = alike.find(({ seq }) => seq === step.seq)
  if (entry) {
    entry.subject_ids.push(journalPlace(tell.actor).subject_id)
    return
  }
  const row = journalRow(handling, tell, step)
  alike.push(row)
  entries.set(step.then, alike)
  handling.draft.journal.push(row)
}

type Settling = ActionOf<'tell'> & { type: 'tellRun'; params: { event: { type: 'stack.settled' } } }

const isSettling = (action: Action): action is Settling =>
  action.type === 'tellRun' && action.params.event.type === 'stack.settled'

/** What the run is to hear, by what is alike of it, with one of those who say it. */
type News = Map<string, { actor: Actor; event: Settling['params']['event']; stacks: number }>

const hear = (news: News, actor: Actor, { params: { event } }: Settling): void => {
  const name = `${event.wave} ${event.outcome} ${event.from ?? ''}`
  const known = news.get(name)
  if (known) known.stacks += 1
  else news.set(name, { actor, event, stacks: 1 })
}

/** Transitions that were made, by the snapshot and the event themselves: stack rows that are alike share one snapshot. */
type Known = { [K in Kind]: Map<Snapshot<K>, Map<EventOf<K>, Transition<K>>> }

const transitOnce = <K extends Kind>(
  known: Known,
  kind: K,
  snapshot: Snapshot<K>,
  event: EventOf<K>,
): Transition<K> => {
  const ofKind = known[kind]
  const ofSnapshot = ofKind.get(snapshot) ?? new Map<EventOf<K>, Transition<K>>()
  ofKind.set(snapshot, ofSnapshot)
  const then = ofSnapshot.get(event) ?? transit(kind, snapshot, event)
  ofSnapshot.set(event, then)
  return then
}

/** One transition in the draft; it gets a number in the journal, unless the event is refused or does nothing. */
const advance = <K extends Kind>(draft: Draft, { actor, event }: Tell<K>, known?: Known) => {
  const now = standing(draft, actor)
  const then = known ? transitOnce(known, actor.kind, now.snapshot, event) : transit(actor.kind, now.snapshot, event)
  const isStep = !then.refusal && (then.changed || then.actions.length > 0)
  const seq = isStep ? now.seq + 1 : undefined
  if (seq !== undefined) stand(draft, actor, { snapshot: then.snapshot, seq })
  return { from: now.snapshot, then, seq }
}

/** A refusal as callers get it. A lock's refusal names the lock, since the machine itself does not know its stack. */
const problemOf = (actor: Actor, { code, reason, details }: Refusal): Problem => {
  if (actor.kind !== 'lock' || code !== 'locked') return new Problem(code, reason, details ? { details } : {})
  return new Problem(code, `${actor.row.stack_key} is ${reason}`, { details: { conflicts: [lockConflict(actor.row)] } })
}

type Step = { from: Snapshot; then: Transition; seq: number; own: boolean }

/** That a lock is released is of the run that held it, that it is taken over of the one that takes it. */
const holderOf = ({ from, then }: Step): string | null => holderIn(then.snapshot) ?? holderIn(from) ?? null

const holderIn = ({ context }: Snapshot): string | undefined => ('run_id' in context ? context.run_id : undefined)

const journalRow = ({ stage, message }: Handling, { actor, event }: Tell, step: Step): NewJournalRow => {
  const { kind, run_id, subject_id } = journalPlace(actor)
  return {
    kind,
    run_id: actor.kind === 'lock' ? holderOf(step) : run_id,
    subject_ids: [subject_id],
    seq: step.seq,
    event,
    event_key: step.own ? (message.key ?? null) : null,
    actor: message.actor,
    cause: message.cause ?? null,
    state_from: stateOf(step.from),
    state_to: stateOf(step.then.snapshot),
    actions: step.then.actions.map(noted),
    at: stage.at,
  }
}

/** Without the event that others were told: it is in their own journals, in the next rows. */
const noted = (action: Action): object => {
  const params = isOf('tell', action) ? { ...action.params, event: undefined } : action.params
  const isBare = Object.values(params).every((value) => value === undefined)
  return isBare ? { type: action.type } : { ...action, params }
}
