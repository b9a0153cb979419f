import { rmSync } from 'node:fs'
import type { StackResult } from '#domain/result.ts'
import { attempt } from '../tool/attempt.ts'
import { prepareStack } from '../tool/prepare-stack.ts'
import type { StackWork } from '../tool/run-tool.ts'
import { makePlan } from './make-plan.ts'
import { onlyReads } from './only-reads.ts'

/**
 * Plans one stack and returns the result to report; `beforePlan` is awaited between init and plan. For `drift`, data sources that would be read are not a change, and the exit
 * status 2 that they alone cause is left out, since it means changes. A saved plan is left only if it may be applied: when it has
 * changes.
 */
export const planStack = async (
  stack: StackWork,
  mode: 'plan' | 'drift',
  beforePlan: () => Promise<void> = async () => {},
): Promise<StackResult> => {
  const result = await attempt(stack, mode, async (known) => {
    await prepareStack(stack, known, { writesState: false })
    await beforePlan()
    const { hasChanges, json, summary, told } = await makePlan(stack, mode)
    if (mode === 'drift' && hasChanges && onlyReads(json)) {
      stack.output.print(`${stack.job.key}: only data sources would be read, which is no drift\n`)
      return { status: 'success', has_changes: false, summary, ...told }
    }
    return { status: 'success', exit_code: hasChanges ? 2 : 0, has_changes: hasChanges, summary, ...told }
  })
  if (mode === 'drift' || result.status !== 'success' || !result.has_changes)
    rmSync(stack.work.plan(stack.job.key), { force: true })
  return result
}
