import { addRunStacks, removeRunStacks } from '#db/run-stacks.ts'
import type { Tx } from '#db/sql.ts'
import { ensureStacks } from '#db/stacks.ts'
import { stackRowId } from '#runtime/address.ts'
import type { Who } from '#runtime/message.ts'
import type { Runtime } from '#runtime/runtime.ts'

/** A stack that a run is to plan or apply, as resolution found it. */
export type ScheduledStack = {
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
  /** The plan run that an apply of the stack goes by. */
  planRunId?: string | undefined
  /** The acquisition of its lock that an apply of the stack stands under. */
  fence?: number | undefined
}

type Scheduling = {
  run: { id: string; repoId: number; mode: 'plan' | 'apply' | 'drift' }
  stacks: readonly ScheduledStack[]
  /** Keys of every stack of the graph: each has an id from now on, affected or not. */
  keys: readonly string[]
  who: Who
}

/** Puts the rows of a run's stacks in place, each with its machine, and answers the stacks per wave. */
export const scheduleStacks = async (
  runtime: Runtime,
  tx: Tx,
  { run, stacks, keys, who }: Scheduling,
): Promise<number[]> => {
  const ids = await ensureStacks(tx, run.repoId, [...new Set([...keys, ...stacks.map((stack) => stack.key)])])
  await removeRunStacks(tx, run.id)
  const rowId = (stack: ScheduledStack): string => stackRowId(run.id, ids.get(stack.key) ?? '')
  const machines = await runtime.begin(
    tx,
    'stack',
    stacks.map((stack) => ({
      id: rowId(stack),
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
        runId: run.id,
        stackId: ids.get(stack.key) ?? '',
        key: stack.key,
        path: stack.path,
        instance: stack.instance ?? null,
        workspace: stack.workspace ?? null,
        environment: stack.environment ?? null,
        tool: stack.tool ?? null,
        toolVersion: stack.tool_version ?? null,
        planOutput: stack.plan_output ?? 'full',
        wave: stack.wave,
        reasons: [...stack.reasons],
        via: [...(stack.via ?? [])],
        planRunId: stack.planRunId ?? null,
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
