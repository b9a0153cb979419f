import { addRunStacks, type NewRunStack, removeRunStacks } from '#db/machines/run-stacks.ts'
import { ensureStacks } from '#db/repositories/stacks.ts'
import type { Tx } from '#db/sql.ts'
import { portionsOf } from '#portions.ts'
import { stackRowId } from '#runtime/address.ts'
import type { Begun } from '#runtime/begin-machines.ts'
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
  who: Who
}

/** Stores the rows of a run's stacks, each with its machine, and returns the number of stacks per wave. */
export const placeStacks = async (
  runtime: Runtime,
  tx: Tx,
  { run, stacks, keys, who }: Scheduling,
): Promise<number[]> => {
  const ids = await ensureStacks(tx, run.repoId, [...new Set([...keys, ...stacks.map((stack) => stack.key)])])
  await removeRunStacks(tx, run.id)
  const tallies: number[] = []
  for (const portion of portionsOf(stacks)) {
    for (const { wave } of portion) tallies[wave] = (tallies[wave] ?? 0) + 1
    await addRunStacks(tx, await rowsOf(runtime, tx, { run, stacks: portion, ids, who }))
  }
  return Array.from(tallies, (count) => count ?? 0)
}

type Portion = Omit<Scheduling, 'keys'> & { ids: ReadonlyMap<string, string> }

/** The rows of some stacks, whose machines begin. */
const rowsOf = async (runtime: Runtime, tx: Tx, { run, stacks, ids, who }: Portion): Promise<NewRunStack[]> => {
  const machines = await runtime.begin(
    tx,
    'stack',
    stacks.map((stack) => ({
      id: stackRowId(run.id, ids.get(stack.key) ?? ''),
      runId: run.id,
      input: { mode: run.mode, wave: stack.wave, ...(stack.fence ? { fence: stack.fence } : {}) },
    })),
    who,
  )
  return stacks.flatMap((stack, index) => {
    const machine = machines[index]
    return machine ? [rowOf(run.id, ids.get(stack.key) ?? '', stack, machine)] : []
  })
}

const rowOf = (runId: string, stackId: string, stack: PlacedStack, machine: Begun): NewRunStack => ({
  run_id: runId,
  stack_id: stackId,
  key: stack.key,
  path: stack.path,
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
  snapshot: machine.snapshot,
  version: machine.version,
  seq: machine.seq,
})
