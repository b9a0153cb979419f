import type { StackResult } from '#api/stack-result.ts'
import { changeCounts } from '#domain/change-counts.ts'
import { fenced, htmlCode } from '#domain/markdown.ts'
import type { Output } from '../output/output.ts'

/** What a plan came to, in a few words. */
const resultText = ({ status, has_changes: hasChanges, summary }: StackResult): string => {
  if (status !== 'success') return 'failed'
  if (!hasChanges) return 'no changes'
  return summary === undefined ? 'changes' : changeCounts(summary)
}

const seconds = (ms: number | undefined): string => (ms === undefined ? '' : ` (${(ms / 1000).toFixed(1)} s)`)

export const printResult = (output: Output, key: string, result: StackResult): void => {
  const style = result.status !== 'success' ? 'red' : result.has_changes ? 'yellow' : 'green'
  const text = `${resultText(result)}${seconds(result.duration_ms)}`
  output.print(`${output.paint('bold', key)}: ${output.paint(style, text)}\n`)
  // Of a tool's failure the log has the rest already.
  if (result.error_text !== undefined) output.fail(`${key}: ${result.error_text.split('\n').at(-1)}`)
}

/** A stack's plan for the job's summary: a line, and behind a click what was planned or what went wrong. */
export const resultSummary = (key: string, result: StackResult): string => {
  const title = `${htmlCode(key)}: ${resultText(result)}`
  const text = result.status === 'success' ? result.plan_text : result.error_text
  if (text === undefined || (result.status === 'success' && !result.has_changes)) return `- ${title}\n`
  return `<details><summary>${title}</summary>\n\n${fenced(text)}\n\n</details>\n`
}
