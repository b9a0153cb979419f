import { addRun, type NewRun } from '#db/machines/runs.ts'
import type { Tx } from '#db/sql.ts'
import { forOwnerOfKnown } from '#db/whose.ts'
import { newId } from '#ids.ts'
import type { Begun } from '#runtime/begin-machines.ts'
import type { Who } from '#runtime/message.ts'
import type { Runtime } from '#runtime/runtime.ts'

/** A run before it is stored: its row without what its machine adds. */
export type RunToBegin = Omit<NewRun, keyof Begun<'run'>>

/** How long a run waits for what. */
export type Patience = {
  /** Seconds within which the caller of a manual run reports a stack. */
  runnerTimeout?: number | undefined
  /** Whether its waves may be held by windows. */
  asksWindows?: boolean | undefined
}

/** Stores a new run with its machine, in the caller's transaction, which then sends the run its stacks. Returns its id. */
export const beginRun = async (
  runtime: Runtime,
  tx: Tx,
  run: RunToBegin,
  { runnerTimeout, asksWindows, ...who }: Who & Patience,
): Promise<string> => {
  const { mode, trigger } = run
  const patience = runnerTimeout === undefined ? {} : { runner_timeout: runnerTimeout }
  const input = {
    ...{ mode, trigger, manual: trigger === 'manual', ...patience },
    ...(asksWindows ? { asks_windows: true } : {}),
  }
  const id = newId()
  const own = await forOwnerOfKnown(tx, { repositories: [run.repo_id] })
  const [machine] = await runtime.begin(own, 'run', [{ id, runId: id, input }], who)
  if (!machine) throw new Error('a run was not begun')
  await addRun(own, { ...run, ...machine })
  return machine.id
}
