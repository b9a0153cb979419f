import { runTool, type StackWork, toolFailure } from '../tool/run-tool.ts'
import { tellEncrypted } from './encrypted-values.ts'
import { type ReadPlan, readPlan } from './read-plan.ts'

/** Plans a prepared stack into its plan file, and reads it. Whether there are changes is what the tool says, not the counts. */
export const makePlan = async (
  stack: StackWork,
  mode: 'plan' | 'drift',
): Promise<ReadPlan & { hasChanges: boolean }> => {
  const { tool, job } = stack
  const note = tellEncrypted(stack)
  const file = stack.work.plan(job.key)
  const ended = await runTool(stack, 'plan', (relay) => tool.plan(file, relay, mode), { quotesPlan: true })
  if (ended.code !== 0 && ended.code !== 2) throw toolFailure(stack, 'plan', ended, note)
  return { ...(await readPlan(stack, file)), hasChanges: ended.code === 2 }
}
