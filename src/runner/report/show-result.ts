import type { StackResult } from '#domain/result.ts'
import { changeCounts } from '#domain/texts/change-counts.ts'
import { fenced, fencedPlan, htmlCode } from '#domain/texts/markdown.ts'
import type { Output } from '../output/output.ts'

const words = {
  plan: { none: 'no changes', some: '' },
  apply: { none: 'nothing to apply', some: 'applied ' },
  drift: { none: 'no drift', some: 'drifted ' },
} as const

/** The outcome of a plan, an apply or a check for drift, in a few words. */
const resultText = ({ mode, status, has_changes: hasChanges, summary }: StackResult): string => {
  if (status !== 'success') return 'failed'
  if (!hasChanges) return words[mode].none
  return `${words[mode].some}${summary === undefined ? 'changes' : changeCounts(summary)}`
}

const seconds = (ms: number | undefined): string => (ms === undefined ? '' : ` (${(ms / 1000).toFixed(1)} s)`)

export const printResult = (output: Output, key: string, result: StackResult): void => {
  const isOpen = result.has_changes === true && result.mode !== 'apply'
  const style = result.status !== 'success' ? 'red' : isOpen ? 'yellow' : 'green'
  const text = `${resultText(result)}${seconds(result.duration_ms)}`
  output.print(`${output.paint('bold', key)}: ${output.paint(style, text)}\n`)
  // The log already has the rest of a tool's failure.
  if (result.error_text !== undefined) output.fail(`${key}: ${result.error_text.split('\n').at(-1)}`)
}

/** A stack's result for the job's summary: a line, and behind a click the plan or the error. */
export const resultSummary = (key: string, result: StackResult): string => {
  const title = `${htmlCode(key)}: ${resultText(result)}`
  const text = result.status === 'success' ? result.plan_text : result.error_text
  if (text === undefined || (result.status === 'success' && !result.has_changes)) return `- ${title}\n`
  return `<details><summary>${title}</summary>\n\n${result.status === 'success' ? fencedPlan(text) : fenced(text)}\n\n</details>\n`
}
