import { addRunStacks, removeRunStacks } from '#db/machines/run-stacks.ts'
import { ensureStacks } from '#db/repositories/stacks.ts'
import type { Tx } from '#db/sql.ts'
import { stackRowId } from '#runtime/address.ts'
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
  const rowId = (stack: PlacedStack): string => stackRowId(run.id, ids.get(stack.key) ?? '')
  const machines = await runtime.begin(
    tx,
    'stack',
    stacks.map((stack) => ({
      id: rowId(stack),
      runId: run.id,
      input: { mode: run.mode, wave: stack.wave, ...(stack.fence ? { fence: stack.fence } : {}) },
    })),
    who,
  )
  const begun = new Map(machines.map((machine) => [machine.id, machine]))
  const tallies: number[] = []
  const rows = stacks.flatMap((stack) => {
    const machine = begun.get(rowId(stack))
    if (!machine) return []
    tallies[stack.wave] = (tallies[stack.wave] ?? 0) + 1
    return [
      {
        run_id: run.id,
        stack_id: ids.get(stack.key) ?? '',
        key: stack.key,
        path: stack.path,
        instance: stack.instance ?? null,
        workspace: stack.workspace ?? null,
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
      },
    ]
  })
  await addRunStacks(tx, rows)
  return Array.from(tallies, (count) => count ?? 0)
}
