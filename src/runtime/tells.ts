import { findGraph } from '#db/graphs.ts'
import { dependentsOf } from '#domain/dependents.ts'
import type { Action } from '#machines/actions.ts'
import { statusOf } from '#machines/index.ts'
import { type Actor, isOpen, type RunActor, type StackActor } from './actor.ts'
import { type Draft, standing } from './draft.ts'
import type { MachineEvent } from './message.ts'
import { find, locksHeldBy, runOf, type Stage, stacksOf } from './stage.ts'

/** An event on its way from one machine to another, in the same transaction. */
export type Tell = { actor: Actor; event: MachineEvent }

type TellAction = Extract<
  Action,
  {
    type:
      | 'tellRun'
      | 'tellLock'
      | 'startStacks'
      | 'startWave'
      | 'supersedeStacks'
      | 'blockDependents'
      | 'skipRest'
      | 'tellOpenStacks'
      | 'finishRun'
  }
>

/** Whom an action of the sort `tell` means, as the database and the draft so far have it. */
export const tellsOf = async (stage: Stage, draft: Draft, from: Actor, action: TellAction): Promise<Tell[]> => {
  if (action.type === 'tellLock') return tellLock(stage, from, action.params.event)
  const run = runOf(stage, from)
  if (!run) return []
  if (action.type === 'tellRun') return [{ actor: run, event: action.params.event }]
  const status = (stack: StackActor): string => statusOf(standing(draft, stack).snapshot)
  if (action.type === 'finishRun') return run.row.mode === 'apply' ? finished(stage, run, status) : []
  const stacks = await stacksOf(stage, run)
  const to = (chosen: StackActor[], event: MachineEvent): Tell[] => chosen.map((actor) => ({ actor, event }))
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
      const ids = new Set(from.kind === 'dispatch' ? from.row.stack_ids : [])
      return to(
        stacks.filter((stack) => ids.has(stack.row.stack_id) && isOpen(status(stack))),
        action.params.event,
      )
    }
    case 'blockDependents':
      return blocked(stage, run, stacks, status)
  }
}

const broken = new Set(['failed', 'unknown', 'unconfirmed'])

const tellLock = (stage: Stage, from: Actor, event: MachineEvent): Tell[] => {
  if (from.kind !== 'stack') return []
  const actor = find(stage, { kind: 'lock', stackId: from.row.stack_id })
  // with the run's id, so that a lock can tell its holder's news from another run's
  return actor ? [{ actor, event: { ...event, run_id: from.row.run_id } }] : []
}

/** The locks that the run still holds hear how their stack ended. */
const finished = async (stage: Stage, run: RunActor, status: (stack: StackActor) => string): Promise<Tell[]> => {
  const outcomes = new Map((await stacksOf(stage, run)).map((stack) => [stack.row.stack_id, status(stack)]))
  const held = await locksHeldBy(stage, run)
  return held.map((actor) => {
    const event = { type: 'run.finished', run_id: run.id, outcome: outcomes.get(actor.id) }
    return { actor, event }
  })
}

/** Pending dependents, near and far, of the run's broken stacks: each is told which broken ones reach it. */
const blocked = async (
  stage: Stage,
  run: RunActor,
  stacks: StackActor[],
  status: (stack: StackActor) => string,
): Promise<Tell[]> => {
  const graph = run.row.graph_id ? await findGraph(stage.tx, run.row.graph_id) : undefined
  if (!graph) return []
  const failed = stacks.filter((stack) => broken.has(status(stack))).map((stack) => stack.row.key)
  const reached = dependentsOf(JSON.parse(graph.body), failed)
  return stacks.flatMap((actor) => {
    const by = reached.get(actor.row.key)
    // one that is blocked already hears of the further predecessor too
    if (!by || (status(actor) !== 'pending' && status(actor) !== 'blocked')) return []
    return [{ actor, event: { type: 'stack.blocked', by } }]
  })
}
