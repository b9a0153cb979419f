import { rmSync } from 'node:fs'
import type { StackResult } from '#domain/result.ts'
import { sensitiveValues } from '../mask/sensitive-values.ts'
import { makePlan } from '../plan/make-plan.ts'
import type { ReadPlan } from '../plan/read-plan.ts'
import { attempt } from '../tool/attempt.ts'
import type { Failed } from '../tool/failed.ts'
import { prepareStack } from '../tool/prepare-stack.ts'
import type { Ended } from '../tool/run-program.ts'
import { runTool, type StackWork, toolFailure } from '../tool/run-tool.ts'
import { isStale, savedPlan } from './saved-plan.ts'

/** A stack to apply; `onStart` is awaited before the tool may change anything. */
export type Applying = StackWork & { onStart: () => Promise<void> }

type Known = Partial<StackResult>

const applyFile = async (stack: Applying, file: string): Promise<Ended> => {
  await stack.onStart()
  return await runTool(stack, 'apply', (relay) => stack.tool.apply(file, relay), { quotesPlan: true })
}

/** Errors may quote values that the apply itself created. No plan could mark them; the state says which are sensitive. */
const learnSecrets = async ({ tool, masks }: StackWork): Promise<void> => {
  const ended = await tool.showState()
  try {
    if (ended.code === 0) masks.add(sensitiveValues(JSON.parse(ended.stdout)))
  } catch {
    // A state that cannot be read marks nothing. What the plan marked is hidden all the same.
  }
}

const applyFailure = async (stack: Applying, ended: Ended): Promise<Failed> => {
  // A job that was sent a signal has seconds left, and its result must still be reported.
  const isInterrupted = stack.stop.reason() !== undefined
  if (!isInterrupted && stack.job.planOutput === 'full') await learnSecrets(stack)
  const note = ': its changes may be half done'
  return toolFailure(stack, 'apply', ended, isInterrupted || ended.code === null ? note : '')
}

type Outcome = Omit<StackResult, 'mode'>

/** The outcome of applying a plan. A failure is thrown, and its result holds the plan's text. */
const conclude = async (stack: Applying, known: Known, { summary, told }: ReadPlan, ended: Ended): Promise<Outcome> => {
  Object.assign(known, told)
  if (ended.code !== 0) throw await applyFailure(stack, ended)
  return { status: 'success', exit_code: 0, has_changes: true, summary }
}

/** Applies the saved plan; undefined if there is none, or it is stale. */
const applySaved = async (stack: Applying, known: Known): Promise<Outcome | undefined> => {
  const { job, work, output } = stack
  const saved = await savedPlan(stack)
  if (saved === undefined) return undefined
  const ended = await applyFile(stack, work.saved(job.key))
  if (!isStale(ended)) return await conclude(stack, known, saved, ended)
  output.warn(
    `${job.key}: the saved plan ${job.artifact} is stale, its state or its providers have changed since: planning again`,
  )
  return undefined
}

/** Plans, and applies exactly the plan that was shown. Without changes nothing is applied. */
const applyNew = async (stack: Applying, known: Known): Promise<Outcome> => {
  const made = await makePlan(stack, 'plan')
  const { hasChanges, summary, told } = made
  if (!hasChanges) return { status: 'success', exit_code: 0, has_changes: false, summary, ...told }
  return await conclude(stack, known, made, await applyFile(stack, stack.work.plan(stack.job.key)))
}

/**
 * Applies one stack and returns the result to report. Takes the saved plan if it is there and fresh, else a new one. A failed
 * apply has no summary, since it is not known how much of its plan was done. No plan is left behind.
 */
export const applyStack = async (stack: Applying): Promise<StackResult> => {
  const { job, work } = stack
  try {
    return await attempt(stack, 'apply', async (known) => {
      await prepareStack(stack, known, { writesState: true })
      return (await applySaved(stack, known)) ?? (await applyNew(stack, known))
    })
  } finally {
    for (const file of [work.plan(job.key), work.saved(job.key)]) rmSync(file, { force: true })
  }
}
