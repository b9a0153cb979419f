import { causesOfRun } from '#db/machines/run-stacks.ts'
import { findEdgesText } from '#db/repositories/graphs.ts'
import { causeEdges } from '#domain/graph/cause-edges.ts'
import { dependentsOf } from '#domain/graph/dependents.ts'
import { storedEdges } from '#domain/resolution/compact-graph.ts'
import { isBroken, isOpen } from '#domain/run-status.ts'
import type { ActionOf } from '#machines/actions.ts'
import { type LockNews, RunEndOutcome } from '#machines/events.ts'
import { type Kind, statusOf } from '#machines/index.ts'
import type { Actor, ActorOf, RunActor, StackActor } from './actor.ts'
import { type Draft, standing } from './draft.ts'
import type { EventOf } from './message.ts'
import { find, locksHearing, runOf, type Stage, stacksOf } from './stage.ts'

/** An event on its way from one machine to another, in the same transaction. */
export type Tell<K extends Kind = Kind> = { [P in K]: { actor: ActorOf<P>; event: EventOf<P> } }[K]

/** The machines that an action of the sort `tell` means, as the database and the draft so far have them. */
export const tellsOf = async (stage: Stage, draft: Draft, from: Actor, action: ActionOf<'tell'>): Promise<Tell[]> => {
  if (action.type === 'tellLock') return tellLock(stage, from, action.params.event)
  const run = runOf(stage, from)
  if (!run) return []
  if (action.type === 'tellRun') return [{ actor: run, event: action.params.event }]
  const status = (stack: StackActor): string => statusOf(standing(draft, stack).snapshot)
  if (action.type === 'finishRun') return run.row.mode === 'apply' ? finished(stage, run, status) : []
  const stacks = await stacksOf(stage, run)
  const to = (chosen: StackActor[], event: EventOf<'stack'>): Tell[] => chosen.map((actor) => ({ actor, event }))
  switch (action.type) {
    case 'startStacks':
      return to(stacks, { type: 'stack.started', mode: run.row.mode })
    case 'startWave':
      return to(
        stacks.filter((stack) => stack.row.wave === action.params.wave),
        { type: 'stack.started', mode: run.row.mode },
      )
    case 'supersedeStacks':
      return to(
        stacks.filter((stack) => isOpen(status(stack))),
        { type: 'run.superseded' },
      )
    case 'skipRest':
      return to(
        stacks.filter((stack) => status(stack) === 'pending'),
        { type: 'stack.skipped' },
      )
    case 'tellOpenStacks': {
      const ids = from.kind === 'dispatch' ? new Set(from.row.stack_ids) : undefined
      // of a run, those that have begun: the end of their wave decides about the others
      const isMeant = (stack: StackActor): boolean =>
        ids ? ids.has(stack.row.stack_id) && isOpen(status(stack)) : status(stack) === 'applying'
      return to(stacks.filter(isMeant), action.params.event)
    }
    case 'blockDependents':
      return blocked(stage, run, stacks, status)
  }
}

const tellLock = (stage: Stage, from: Actor, event: LockNews): Tell[] => {
  if (from.kind !== 'stack') return []
  const actor = find(stage, { kind: 'lock', stackId: from.row.stack_id })
  // with the run's id, for a lock to distinguish its holder's messages from another run's
  return actor ? [{ actor, event: { ...event, run_id: from.row.run_id } }] : []
}

/** Tells the locks that the run still holds how their stack ended, where that means anything to them. */
const finished = async (stage: Stage, run: RunActor, status: (stack: StackActor) => string): Promise<Tell[]> => {
  const held = await locksHearing(stage, run)
  if (held.length === 0) return []
  const outcomes = new Map((await stacksOf(stage, run)).map((stack) => [stack.row.stack_id, status(stack)]))
  return held.map((actor) => {
    const outcome = RunEndOutcome.parse(outcomes.get(actor.id))
    return { actor, event: { type: 'run.finished', run_id: run.id, outcome } }
  })
}

/** Pending dependents, near and far, of the run's broken stacks: each is told which broken ones block it. */
const blocked = async (
  stage: Stage,
  run: RunActor,
  stacks: StackActor[],
  status: (stack: StackActor) => string,
): Promise<Tell[]> => {
  const stored = run.row.graph_id ? await findEdgesText(stage.tx, run.row.repo_id, run.row.graph_id) : undefined
  if (!stored) return []
  const edges = [...storedEdges(stored), ...causeEdges(await causesOfRun(stage.tx, run.id))]
  const failed = stacks.filter((stack) => isBroken(status(stack))).map((stack) => stack.row.key)
  const reached = dependentsOf({ edges }, failed)
  const events = new Map<string, EventOf<'stack'>>()
  const eventOf = (by: string[]): EventOf<'stack'> => {
    const name = by.join('\n')
    const event = events.get(name) ?? { type: 'stack.blocked', by }
    events.set(name, event)
    return event
  }
  return stacks.flatMap((actor) => {
    const by = reached.get(actor.row.key)
    // a stack that is already blocked is told of the further predecessor too
    if (!by || (status(actor) !== 'pending' && status(actor) !== 'blocked')) return []
    return [{ actor, event: eventOf(by) }]
  })
}
