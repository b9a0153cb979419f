import { randomUUID } from 'node:crypto'
import { addRun, type NewRun } from '#db/runs.ts'
import type { Tx } from '#db/sql.ts'
import type { Begun } from '#runtime/begin-machines.ts'
import type { Who } from '#runtime/message.ts'
import type { Runtime } from '#runtime/runtime.ts'

/** A run before it is stored: what its row says but for what its machine does. */
export type RunToBegin = Omit<NewRun, keyof Begun>

/** Stores a new run with its machine, in the caller's transaction, which goes on to tell the run of its stacks. Answers its id. */
export const beginRun = async (runtime: Runtime, tx: Tx, run: RunToBegin, who: Who): Promise<string> => {
  const { mode, trigger } = run
  const input = { mode, trigger, manual: trigger === 'manual' }
  const [machine] = await runtime.begin(tx, 'run', [{ id: randomUUID(), input }], who)
  if (!machine) throw new Error('a run was not begun')
  await addRun(tx, { ...run, ...machine })
  return machine.id
}
