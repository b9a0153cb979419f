import { code, cutAtLine, link } from './markdown.ts'
import { nextStep } from './next-step.ts'
import { planSections } from './plan-sections.ts'
import { warningsText } from './run-outcome.ts'
import type { RunReport } from './run-report.ts'
import { runTitle } from './run-title.ts'
import { key, lock, result, stacksTable, wave } from './stacks-table.ts'

/**
 * The apply of a pull request as a part of its comment, in at most `room` characters. Of one that is older than the plan
 * below it nothing is left to do: its heading stands for it, with a link.
 */
export const appliedBlock = (report: RunReport, { room, isNewest }: { room: number; isNewest: boolean }): string => {
  const { run } = report
  const page = `${link('Apply', run.html_url)} ${code(run.id)}`
  if (!isNewest) return cutAtLine(`${runTitle(report)}\n\n${page}`, room, '…')
  const foot = `**Next:** ${nextStep(report, undefined)}\n\n${page}`
  const head = cutAtLine(joined([runTitle(report), warningsText(report)]), Math.floor(room / 3), '…')
  const left = room - head.length - foot.length - 8
  const table = report.stacks.length === 0 ? '' : stacksTable(report, [wave, key, result, lock], left)
  // what was planned is shown below; of an apply only what went wrong is worth a block
  const failed = report.stacks.filter((stack) => stack.error_text !== undefined)
  const errors = planSections(
    { run, stacks: failed.map((stack) => ({ ...stack, plan_text: undefined, summary: undefined })) },
    left - table.length,
  )
  return joined([head, table, errors, foot])
}

const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n')
