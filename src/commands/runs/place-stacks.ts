import { lastSeqsOfStacks } from '#db/machines/journal.ts'
import { addRunStacks, type NewRunStack, removeRunStacks } from '#db/machines/run-stacks.ts'
import { remembered } from '#db/machines/stack-snapshot.ts'
import { noteNewRows } from '#db/machines/stack-standings.ts'
import { ensureStacks, type StackIds } from '#db/repositories/stacks.ts'
import type { Tx } from '#db/sql.ts'
import { forOwnerOfKnown } from '#db/whose.ts'
import { createBreath, portionsOf } from '#portions.ts'
import { stackRowId } from '#runtime/address.ts'
import type { Begun, NewMachine } from '#runtime/begin-machines.ts'
import type { Who } from '#runtime/message.ts'
import type { Runtime } from '#runtime/runtime.ts'

/** A stack that a run is to plan or apply, as resolution found it. */
export type PlacedStack = {
  key: string
  path: string
  wave: number
  reasons: readonly string[]
  via?: readonly string[] | undefined
  environment?: string | undefined
  tool?: string | undefined
  tool_version?: string | undefined
  plan_output?: string | undefined
  instance?: string | undefined
  workspace?: string | undefined
  /** Labels of the runners that its job asks for. */
  runs_on?: readonly string[] | undefined
  /** The plan run that an apply of the stack uses. */
  plan_run_id?: string | undefined
  /** The acquisition of its lock that an apply of the stack depends on. */
  fence?: number | undefined
}

type Scheduling = {
  run: { id: string; repoId: number; mode: 'plan' | 'apply' | 'drift' }
  stacks: readonly PlacedStack[]
  /** Keys of every stack of the graph: each gets an id now, affected or not. */
  keys: readonly string[]
  /** Of those that are known already. */
  ids?: StackIds | undefined
  who: Who
}

/** Stores the rows of a new run's stacks, each with its machine, and returns the number of stacks per wave. */
export const placeStacks = async (runtime: Runtime, tx: Tx, scheduling: Scheduling): Promise<number[]> => {
  await storeRows(runtime, tx, scheduling)
  return talliesOf(scheduling.stacks)
}

/**
 * Sends a run that plans or checks what it is to do, and stores the rows of its stacks in place of those that it had. All of them
 * begin at once, so they are stored as started, after the run has moved: told by the run, each of thousands would be read and
 * written again. Throws if the run takes no stacks.
 */
export const planStacks = async (
  runtime: Runtime,
  tx: Tx,
  scheduling: Scheduling,
  type: 'graph.resolved' | 'replan.requested',
): Promise<void> => {
  const { run, stacks, who } = scheduling
  const own = await forOwnerOfKnown(tx, { runs: [run.id] })
  await removeRunStacks(own, run.id)
  const event = { type, tallies: talliesOf(stacks) }
  const [sent] = await runtime.sendAll(own, [{ to: { kind: 'run', id: run.id }, event, ...who }])
  if (sent?.problem) throw sent.problem
  const lastSeqs = await lastSeqsOfStacks(own, run.id)
  await storeRows(runtime, own, { ...scheduling, lastSeqs, took: { type: 'stack.started', mode: run.mode } })
  await noteNewRows(own, run.id)
}

const talliesOf = (stacks: readonly PlacedStack[]): number[] => {
  const tallies: number[] = []
  for (const { wave } of stacks) tallies[wave] = (tallies[wave] ?? 0) + 1
  return Array.from(tallies, (count) => count ?? 0)
}

type Storing = Scheduling & Pick<NewMachine<'stack'>, 'took'> & { lastSeqs?: ReadonlyMap<string, number> }

const storeRows = async (
  runtime: Runtime,
  tx: Tx,
  { stacks, keys, ids: known, ...storing }: Storing,
): Promise<void> => {
  const ids = await ensureStacks(tx, storing.run.repoId, [...keys, ...stacks.map(({ key }) => key)], known)
  const breath = createBreath()
  for (const portion of portionsOf(stacks)) {
    await breath()
    await addRunStacks(tx, await rowsOf(runtime, tx, { ...storing, stacks: portion, ids }))
  }
}

type Portion = Omit<Storing, 'keys'> & { ids: StackIds }

/** The rows of some stacks, whose machines begin. */
const rowsOf = async (
  runtime: Runtime,
  tx: Tx,
  { run, stacks, ids, who, took, lastSeqs }: Portion,
): Promise<NewRunStack[]> => {
  const machines = await runtime.begin(
    tx,
    'stack',
    stacks.map(({ key, wave, fence }) => {
      const stackId = ids.get(key) ?? ''
      return {
        id: stackRowId(run.id, stackId),
        runId: run.id,
        input: { mode: run.mode, wave, ...(fence ? { fence } : {}) },
        lastSeq: lastSeqs?.get(stackId),
        ...(took ? { took } : {}),
      }
    }),
    who,
  )
  return stacks.flatMap((stack, index) => {
    const machine = machines[index]
    return machine ? [rowOf(run.id, ids.get(stack.key) ?? '', stack, machine)] : []
  })
}

const rowOf = (runId: string, stackId: string, stack: PlacedStack, machine: Begun<'stack'>): NewRunStack => ({
  run_id: runId,
  stack_id: stackId,
  key: stack.key,
  path: stack.path === stack.key ? null : stack.path,
  instance: stack.instance ?? null,
  workspace: stack.workspace ?? null,
  runs_on: stack.runs_on === undefined ? null : [...stack.runs_on],
  environment: stack.environment ?? null,
  tool: stack.tool ?? null,
  tool_version: stack.tool_version ?? null,
  plan_output: stack.plan_output ?? 'full',
  wave: stack.wave,
  reasons: [...stack.reasons],
  via: [...(stack.via ?? [])],
  plan_run_id: stack.plan_run_id ?? null,
  status: machine.status,
  started_at: machine.startedAt,
  ...remembered(machine.snapshot.context),
  version: machine.version,
  seq: machine.seq,
})
