import { writeFile } from 'node:fs/promises'
import { limits } from '#domain/limits.ts'
import { summarise } from '#domain/plan-summary.ts'
import type { StackResult } from '#domain/result.ts'
import { cutEnd, printable } from '../mask/sendable-text.ts'
import { sensitiveValues } from '../mask/sensitive-values.ts'
import { Failed } from '../tool/failed.ts'
import { type StackWork, toolFailure } from '../tool/run-tool.ts'

/** A saved plan: its JSON in clear, and what of it may be reported. */
export type ReadPlan = {
  json: unknown
  summary: NonNullable<StackResult['summary']>
  /** The text, unless it is kept back. */
  told: Pick<StackResult, 'plan_text' | 'truncated'>
}

const shown = async (stack: StackWork, file: string, format: '-json' | '-no-color'): Promise<string> => {
  const ended = await stack.tool.show(file, format)
  if (ended.code !== 0) throw toolFailure(stack, `show ${format}`, ended)
  return ended.stdout
}

const parsePlan = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failed('error', `the plan's JSON cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * Reads a saved plan, keeps its JSON for checks, and from here on masks what the JSON marks sensitive: without it nothing could
 * be masked. Throws `Failed` if the tool cannot show the plan, or if its JSON has an unknown format.
 */
export const readPlan = async (stack: StackWork, file: string): Promise<ReadPlan> => {
  const { job, masks } = stack
  const text = await shown(stack, file, '-json')
  await writeFile(stack.work.planJson(job.key), text, { mode: 0o600 })
  const json = parsePlan(text)
  masks.add(sensitiveValues(json))
  const summarised = summarise(json)
  if (!summarised.ok) throw new Failed('error', `${job.program} show -json: ${summarised.problem}`)
  const { summary } = summarised
  if (job.planOutput === 'summary') return { json, summary, told: {} }
  const whole = masks.hide(printable(await shown(stack, file, '-no-color')))
  const cut = cutEnd(whole, limits.planTextBytes)
  return { json, summary, told: { plan_text: cut.text, ...(cut.isCut ? { truncated: true } : {}) } }
}
