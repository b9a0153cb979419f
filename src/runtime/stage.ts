import { loadDispatches } from '#db/machines/dispatches.ts'
import { knownEvents } from '#db/machines/journal.ts'
import { lockLocks } from '#db/machines/locks.ts'
import {
  loadReportedStacks,
  loadStacksById,
  loadStacksByKey,
  loadStacksOfRun,
  type RunStackRow,
} from '#db/machines/run-stacks.ts'
import { lockRunWithStack } from '#db/machines/run-with-stack.ts'
import { lockRuns, type RunRow } from '#db/machines/runs.ts'
import type { TenantTx } from '#db/tenant.ts'
import { isOpen, takesResult } from '#domain/run-status.ts'
import { type Kind, stateOf, statusOf } from '#machines/index.ts'
import { type Breath, createBreath, portionsOf } from '#portions.ts'
import {
  type Actor,
  type ActorOf,
  dispatchActor,
  journalPlace,
  type KnownSnapshots,
  type LockActor,
  lockActor,
  type RunActor,
  runActor,
  type StackActor,
  stackActor,
} from './actor.ts'
import { type Address, type AddressOf, rootOf, stackRowId } from './address.ts'
import { locksHearingEnd } from './locks-hearing-end.ts'
import type { Mail } from './mail.ts'
import type { Message } from './message.ts'

/** The machines that a transaction has locked and loaded, each once. */
export type Stage = {
  tx: TenantTx
  at: Date
  /** By kind and id. */
  actors: { [K in Kind]: Map<string, ActorOf<K>> }
  stackIdByKey: Map<string, string>
  wholeRuns: Set<string>
  /** Runs of which all locks that hear of a run's end are loaded. */
  heardRuns: Set<string>
  applied: Set<string>
  /** A run may tell thousands of stacks. */
  breath: Breath
}

const emptyStage = (tx: TenantTx, at: Date): Stage => ({
  tx,
  at,
  actors: { run: new Map(), stack: new Map(), lock: new Map(), dispatch: new Map() },
  stackIdByKey: new Map(),
  wholeRuns: new Set(),
  heardRuns: new Set(),
  applied: new Set(),
  breath: createBreath(),
})

/**
 * Locks and loads the machines that the messages are for, always in this order: runs, then their rows, then stack locks by
 * stack id. If a run applies, the locks that it or its stacks will tell are taken here too; taking them later would break the
 * order.
 */
export const setStage = async (
  tx: TenantTx,
  { messages: first, joining }: Mail,
  now: () => Date,
): Promise<{ stage: Stage; messages: readonly Message[] }> => {
  const { runs, stacks } = await lockRunsOf(tx, addressesOf(first))
  const joined = joining?.() ?? []
  // after both: nothing is noted as of before it was sent, or as of before what the lock was waited for
  const stage = emptyStage(tx, now())
  for (const row of runs) put(stage, runActor(row))
  for (const row of stacks) putStack(stage, stackActor(row))
  const messages = [...first, ...joined]
  const addresses = addressesOf(messages)
  await loadStackRows(stage, stacks.length > 0 ? joined : messages)
  const reached = appliesReached(stage, messages)
  for (const run of reached) await loadWhole(stage, run)
  const dispatchIds = addresses.flatMap((address) => (address.kind === 'dispatch' ? [address.id] : []))
  if (dispatchIds.length > 0) for (const row of await loadDispatches(tx, dispatchIds)) put(stage, dispatchActor(row))
  await loadLocks(stage, locksTouched(stage, messages), reached)
  await loadApplied(stage, messages)
  return { stage, messages }
}

const addressesOf = (messages: readonly Message[]): Address[] => messages.map(({ to }) => to)

type Locked = { runs: readonly RunRow[]; stacks: readonly RunStackRow[] }

/** The runs of these; of a single message for a stack by its key, as jobs send them, with the stack's row by one statement. */
const lockRunsOf = async (tx: TenantTx, addresses: Address[]): Promise<Locked> => {
  const [address, ...more] = addresses
  if (address?.kind === 'stack' && 'key' in address && more.length === 0) {
    const found = await lockRunWithStack(tx, address)
    if (found) return { runs: [found.run], stacks: [found.stack] }
  }
  const runIds = [...new Set(addresses.flatMap((each) => rootOf(each) ?? []))].sort()
  return { runs: runIds.length > 0 ? await lockRuns(tx, runIds) : [], stacks: [] }
}

const put = <K extends Kind>({ actors }: Stage, actor: ActorOf<K>): void => {
  const ofKind = actors[actor.kind]
  if (!ofKind.has(actor.id)) ofKind.set(actor.id, actor)
}

const putStack = (stage: Stage, actor: StackActor): void => {
  put(stage, actor)
  stage.stackIdByKey.set(`${actor.row.run_id} ${actor.row.key}`, actor.row.stack_id)
}

/** One that is here already was read before its run was waited for, and what stands beside it may be older than what joined. */
const putNamed = (stage: Stage, actor: StackActor): void => {
  putStack(stage, actor)
  const known = stage.actors.stack.get(actor.id)
  if (known) known.row = actor.row
}

const loadStackRows = async (stage: Stage, messages: readonly Message[]): Promise<void> => {
  const stacks = addressesOf(messages).filter((address) => address.kind === 'stack')
  const byKey = stacks.flatMap((address) => ('key' in address ? [address] : []))
  const byId = stacks.flatMap((address) => ('stackId' in address ? [address] : []))
  const read = messages.some(({ wantsView }) => wantsView) ? loadReportedStacks : loadStacksByKey
  if (byKey.length > 0) for (const row of await read(stage.tx, byKey)) putNamed(stage, stackActor(row))
  if (byId.length > 0) for (const row of await loadStacksById(stage.tx, byId)) putStack(stage, stackActor(row))
}

/** Locks that are named, and those of stacks that tell theirs: a job reported them, or none will. What is blocked or skipped tells it nothing. */
const locksTouched = (stage: Stage, messages: readonly Message[]): string[] => {
  const lost = new Set(messages.flatMap((message) => (losesRunners(message) ? (rootOf(message.to) ?? []) : [])))
  const ofLost = [...stage.actors.stack.values()].filter(
    (actor) => lost.has(actor.row.run_id) && isOpen(statusOf(actor.snapshot)),
  )
  const reported = messages.flatMap(({ to }) => (to.kind === 'stack' ? (find(stage, to) ?? []) : []))
  const named = messages.flatMap(({ to }) => (to.kind === 'lock' ? [to.stackId] : []))
  const told = [...reported, ...ofLost].filter((actor) => runOf(stage, actor)?.row.mode === 'apply')
  return [...named, ...told.map(({ row }) => row.stack_id)]
}

/** No result of a run's stacks will come, or of those of a dispatch. */
const losesRunners = ({ to, event }: Message): boolean =>
  (to.kind === 'run' && event.type === 'runner.lost') ||
  (to.kind === 'dispatch' && (event.type === 'runner.lost' || event.type === 'workflow.completed'))

/** Whether all stacks of an apply may be told of what a message causes, whether or not it is the last of its wave. */
const reachesAll = (stage: Stage, message: Message): boolean => {
  const { to, event } = message
  if (losesRunners(message)) return true
  if (to.kind === 'run') return endsHolding(stage, to, event.type)
  const isSuccess = event.type === 'result.reported' && (event.outcome === 'changes' || event.outcome === 'none')
  return to.kind === 'stack' && !isSuccess && canMove(stage, to)
}

/** A run that waits with its wave starts the stacks of it, or skips all that are left. */
const endsHolding = (stage: Stage, to: Address, event: Message['event']['type']): boolean => {
  const actor = find(stage, to)
  const isHolding = actor !== undefined && stateOf(actor.snapshot) === 'applying.holding'
  return isHolding && (event === 'wave.cleared' || event === 'head.replaced')
}

const canMove = (stage: Stage, to: Address): boolean => {
  const actor = find(stage, to)
  return actor !== undefined && takesResult(statusOf(actor.snapshot))
}

/**
 * Applies of which more is told than the stacks named by the messages: a stack that fails blocks others, and the last stack of a
 * wave starts the next one or ends the run, which locks may hear. Locked only at that point, they would be out of order.
 */
const appliesReached = (stage: Stage, messages: readonly Message[]): RunActor[] => {
  const byRun = Map.groupBy(messages, ({ to }) => rootOf(to))
  return [...byRun].flatMap(([runId, news]) => {
    const run = runId === undefined ? undefined : stage.actors.run.get(runId)
    if (run?.row.mode !== 'apply') return []
    const { wave, tallies } = run.snapshot.context
    const moving = news.filter(({ to }) => to.kind === 'stack' && canMove(stage, to)).length
    const isLast = moving > 0 && moving >= (tallies[wave]?.open ?? 0)
    return isLast || news.some((message) => reachesAll(stage, message)) ? [run] : []
  })
}

const loadWhole = async (stage: Stage, run: RunActor): Promise<void> => {
  const actors: StackActor[] = []
  // nearly all rows are alike, and what is alike makes its transitions together
  const known: KnownSnapshots = new Map()
  for await (const rows of loadStacksOfRun(stage.tx, run.id)) actors.push(...rows.map((row) => stackActor(row, known)))
  // they are told, and their journal is written, in the order of keys
  actors.sort((a, b) => (a.row.key < b.row.key ? -1 : 1))
  for (const portion of portionsOf(actors)) {
    await stage.breath()
    for (const actor of portion) putStack(stage, actor)
  }
  stage.wholeRuns.add(run.id)
}

/** All in one go, in their order: those of these stacks, and of these runs those that hear of the run's end. */
const loadLocks = async (stage: Stage, stackIds: string[], runs: RunActor[]): Promise<void> => {
  const runIds = runs.map(({ id }) => id)
  const hearing = runIds.length > 0 ? await locksHearingEnd(stage.tx, runIds) : []
  for (const id of runIds) stage.heardRuns.add(id)
  const missing = [...stackIds, ...hearing].filter((id) => !stage.actors.lock.has(id))
  if (missing.length > 0) for (const row of await lockLocks(stage.tx, [...new Set(missing)])) put(stage, lockActor(row))
}

const loadApplied = async (stage: Stage, messages: readonly Message[]): Promise<void> => {
  const keyed = messages.flatMap((message) => {
    const actor = find(stage, message.to)
    return message.key && actor
      ? [{ ...journalPlace(actor), name: eventName(actor, message.key), key: message.key }]
      : []
  })
  if (keyed.length > 0) for (const name of await knownEvents(stage.tx, keyed)) stage.applied.add(name)
}

/** A keyed event of a machine, as the stage notes that it was applied. */
export const eventName = ({ kind, id }: Actor, key: string): string => `${kind} ${id} ${key}`

const idAt: { [K in Kind]: (address: AddressOf<K>, stage: Stage) => string | undefined } = {
  run: ({ id }) => id,
  stack: (address, { stackIdByKey }) => {
    const stackId = 'stackId' in address ? address.stackId : stackIdByKey.get(`${address.runId} ${address.key}`)
    return stackId === undefined ? undefined : stackRowId(address.runId, stackId)
  },
  lock: ({ stackId }) => stackId,
  dispatch: ({ id }) => id,
}

/** The machine at an address, if it exists. */
export const find = <K extends Kind>(stage: Stage, address: AddressOf<K>): ActorOf<K> | undefined => {
  const id = idAt[address.kind](address, stage)
  return id === undefined ? undefined : stage.actors[address.kind].get(id)
}

/** The run that a stack row or a dispatch belongs to: locked before its rows were loaded. */
export const runOf = (stage: Stage, actor: Actor): RunActor | undefined => {
  if (actor.kind === 'run') return actor
  if (actor.kind === 'lock') return undefined
  return stage.actors.run.get(actor.row.run_id)
}

/** Every stack row of a run, by key. */
export const stacksOf = async (stage: Stage, run: RunActor): Promise<StackActor[]> => {
  if (!stage.wholeRuns.has(run.id)) await loadWhole(stage, run)
  return [...stage.actors.stack.values()].filter((actor) => actor.row.run_id === run.id)
}

/** Of the locks that the run holds, at least those that hear of its end. */
export const locksHearing = async (stage: Stage, run: RunActor): Promise<LockActor[]> => {
  if (!stage.heardRuns.has(run.id)) await loadLocks(stage, [], [run])
  return [...stage.actors.lock.values()].filter((actor) => actor.row.run_id === run.id)
}

/** All machines that the transaction has changed so far. */
export const changedActors = ({ actors: { run, stack, lock, dispatch } }: Stage): Actor[] =>
  [...run.values(), ...stack.values(), ...lock.values(), ...dispatch.values()].filter((actor) => actor.dirty)
