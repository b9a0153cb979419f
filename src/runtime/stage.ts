import { loadDispatches } from '#db/dispatches.ts'
import { knownEvents } from '#db/journal.ts'
import { lockLocks, lockLocksOfRun } from '#db/locks.ts'
import { loadStacksById, loadStacksByKey, loadStacksOfRun } from '#db/run-stacks.ts'
import { lockRuns } from '#db/runs.ts'
import type { Tx } from '#db/sql.ts'
import { statusOf } from '#machines/index.ts'
import {
  type Actor,
  dispatchActor,
  lockActor,
  nameOf,
  type RunActor,
  runActor,
  type StackActor,
  stackActor,
} from './actor.ts'
import { type Address, rootOf, stackRowId } from './address.ts'
import type { Message } from './message.ts'

/** The machines that a transaction has locked and loaded, each once. */
export type Stage = {
  tx: Tx
  at: Date
  actors: Map<string, Actor>
  stackIdByKey: Map<string, string>
  wholeRuns: Set<string>
  applied: Set<string>
}

/**
 * Locks and loads what the messages are for, in the one order: runs, then their rows, then stack locks by stack id. The
 * lock of a stack is taken here too when its run applies, since the stack will tell it; asking later would break the order.
 */
export const setStage = async (tx: Tx, messages: readonly Message[], at: Date): Promise<Stage> => {
  const stage: Stage = { tx, at, actors: new Map(), stackIdByKey: new Map(), wholeRuns: new Set(), applied: new Set() }
  const addresses = messages.map((message) => message.to)
  const runIds = [...new Set(addresses.flatMap((address) => rootOf(address) ?? []))].sort()
  if (runIds.length > 0) for (const row of await lockRuns(tx, runIds)) put(stage, runActor(row))
  await loadStackRows(stage, addresses)
  for (const run of appliesReached(stage, messages)) await loadWhole(stage, run)
  const dispatchIds = addresses.flatMap((address) => (address.kind === 'dispatch' ? [address.id] : []))
  if (dispatchIds.length > 0) for (const row of await loadDispatches(tx, dispatchIds)) put(stage, dispatchActor(row))
  await loadLocks(stage, locksTouched(stage, addresses))
  await loadApplied(stage, messages)
  return stage
}

const put = (stage: Stage, actor: Actor): void => {
  const name = nameOf(actor.kind, actor.id)
  if (stage.actors.has(name)) return
  stage.actors.set(name, actor)
  if (actor.kind === 'stack') stage.stackIdByKey.set(`${actor.row.run_id} ${actor.row.key}`, actor.row.stack_id)
}

const loadStackRows = async (stage: Stage, addresses: Address[]): Promise<void> => {
  const stacks = addresses.filter((address) => address.kind === 'stack')
  const byKey = stacks.flatMap((address) => ('key' in address ? [address] : []))
  const byId = stacks.flatMap((address) => ('stackId' in address ? [address] : []))
  if (byKey.length > 0) for (const row of await loadStacksByKey(stage.tx, byKey)) put(stage, stackActor(row))
  if (byId.length > 0) for (const row of await loadStacksById(stage.tx, byId)) put(stage, stackActor(row))
}

const locksTouched = (stage: Stage, addresses: Address[]): string[] => {
  const named = addresses.flatMap((address) => (address.kind === 'lock' ? [address.stackId] : []))
  const told = [...stage.actors.values()].flatMap((actor) =>
    actor.kind === 'stack' && runOf(stage, actor)?.row.mode === 'apply' ? [actor.row.stack_id] : [],
  )
  return [...named, ...told]
}

const unsettled: ReadonlySet<string> = new Set(['pending', 'applying', 'unknown'])

/** Whether all stacks of an apply, and so all its locks, may hear of what a message brings, were it the last of its wave or not. */
const reachesAll = (stage: Stage, { to, event }: Message): boolean => {
  if (to.kind === 'dispatch') return event.type === 'runner.lost' || event.type === 'workflow.completed'
  const isSuccess = event.type === 'result.reported' && (event.outcome === 'changes' || event.outcome === 'none')
  return to.kind === 'stack' && !isSuccess && canMove(stage, to)
}

const canMove = (stage: Stage, to: Address): boolean => {
  const actor = find(stage, to)
  return actor !== undefined && unsettled.has(statusOf(actor.snapshot))
}

/**
 * Applies of which more is to be locked than the stacks that the messages name: one that does not succeed blocks others, and
 * the last of a wave lets the next one start or ends the run. Locked when it comes to that, they would be out of order.
 */
const appliesReached = (stage: Stage, messages: readonly Message[]): RunActor[] => {
  const byRun = Map.groupBy(messages, ({ to }) => rootOf(to))
  return [...byRun].flatMap(([runId, news]) => {
    const run = runId === undefined ? undefined : stage.actors.get(nameOf('run', runId))
    if (run?.kind !== 'run' || run.row.mode !== 'apply') return []
    const { wave, tallies } = run.snapshot.context
    const moving = news.filter(({ to }) => to.kind === 'stack' && canMove(stage, to)).length
    const isLast = moving > 0 && moving >= (tallies[wave]?.open ?? 0)
    return isLast || news.some((message) => reachesAll(stage, message)) ? [run] : []
  })
}

const loadWhole = async (stage: Stage, run: RunActor): Promise<void> => {
  for (const row of await loadStacksOfRun(stage.tx, run.id)) put(stage, stackActor(row))
  stage.wholeRuns.add(run.id)
}

const loadLocks = async (stage: Stage, stackIds: string[]): Promise<void> => {
  const missing = stackIds.filter((id) => !stage.actors.has(nameOf('lock', id)))
  if (missing.length > 0) for (const row of await lockLocks(stage.tx, [...new Set(missing)])) put(stage, lockActor(row))
}

const loadApplied = async (stage: Stage, messages: readonly Message[]): Promise<void> => {
  const keyed = messages.flatMap((message) => {
    const actor = find(stage, message.to)
    return message.key && actor ? [{ kind: actor.kind, id: actor.id, key: message.key }] : []
  })
  if (keyed.length > 0) for (const name of await knownEvents(stage.tx, keyed)) stage.applied.add(name)
}

/** The machine at an address, if it is there. */
export const find = (stage: Stage, address: Address): Actor | undefined => {
  if (address.kind === 'run' || address.kind === 'dispatch') return stage.actors.get(nameOf(address.kind, address.id))
  if (address.kind === 'lock') return stage.actors.get(nameOf('lock', address.stackId))
  const stackId = 'stackId' in address ? address.stackId : stage.stackIdByKey.get(`${address.runId} ${address.key}`)
  return stackId === undefined ? undefined : stage.actors.get(nameOf('stack', stackRowId(address.runId, stackId)))
}

/** The run that a stack row or a dispatch belongs to: locked before its rows were loaded. */
export const runOf = (stage: Stage, actor: Actor): RunActor | undefined => {
  if (actor.kind === 'run') return actor
  if (actor.kind === 'lock') return undefined
  return stage.actors.get(nameOf('run', actor.row.run_id)) as RunActor | undefined
}

/** Every stack row of a run, by key; and, where it applies, the locks that its rows will tell. */
export const stacksOf = async (stage: Stage, run: RunActor): Promise<StackActor[]> => {
  if (!stage.wholeRuns.has(run.id)) {
    await loadWhole(stage, run)
    if (run.row.mode === 'apply') {
      const ids = [...stage.actors.values()].flatMap((actor) => (actor.kind === 'stack' ? [actor.row.stack_id] : []))
      await loadLocks(stage, ids)
    }
  }
  return [...stage.actors.values()].filter(
    (actor): actor is StackActor => actor.kind === 'stack' && actor.row.run_id === run.id,
  )
}

/** The locks that a run holds. */
export const locksHeldBy = async (stage: Stage, run: RunActor): Promise<Actor[]> => {
  for (const row of await lockLocksOfRun(stage.tx, run.id)) put(stage, lockActor(row))
  return [...stage.actors.values()].filter((actor) => actor.kind === 'lock' && actor.row.run_id === run.id)
}
