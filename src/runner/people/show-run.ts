import { Run } from '#api/runs/run.ts'
import type { Context } from '../command.ts'
import { type ExitCode, exit, forgiving } from '../exit.ts'
import type { Output } from '../output/output.ts'
import { fittedTable } from '../print/fitted-table.ts'
import { shown } from '../print/table.ts'
import { apiFor } from './api.ts'
import { ago, paintOfStatus } from './cells.ts'
import { findRunId } from './find-run.ts'
import { stackColumns, titleOf } from './run-columns.ts'
import { watchRun } from './watch-run.ts'

/** Prints a run: what it is, its stacks by wave, what somebody has to look at, and what comes next. */
const printRun = (run: Run, output: Output): void => {
  const style = paintOfStatus(run.status)
  const status = style === undefined ? run.status : output.paint(style, run.status)
  output.print(`${output.paint('bold', shown(titleOf(run)))}: ${status}, ${ago(run.created_at, Date.now())}\n`)
  const look = { width: output.size()?.columns, paint: output.paint }
  const { stacks = [], attention = [], warnings = [] } = run
  if (stacks.length > 0) output.print(fittedTable(stackColumns, stacks, look))
  for (const { text } of attention) output.print(`${output.paint('yellow', '!')} ${shown(text)}\n`)
  for (const { message } of warnings) output.warn(shown(message))
  if (run.next !== undefined) output.print(`next: ${shown(run.next)}\n`)
  output.print(`${output.paint('dim', shown(run.html_url))}\n`)
}

/** How a run ended, as an exit status. Stacks that are planned have changes, or have drifted: those without are noop. */
const exitOfRun = ({ status, counts = {} }: Run): ExitCode => {
  if (status === 'superseded') return exit.refused
  if (status === 'applied') return exit.ok
  if (status === 'planned') return (counts.planned ?? 0) > 0 ? exit.changes : exit.ok
  return exit.error
}

export type ShowAsked = { url?: string; watch?: boolean; 'changes-ok'?: boolean }

/** `svc run RUN`: shows a run, or draws it until it is over and ends as it ended. */
export const showRun = async (named: string, values: ShowAsked, context: Context): Promise<ExitCode> => {
  const { output } = context
  const api = apiFor(values, context)
  const path = `/v1/runs/${await findRunId(api, 'run', named)}`
  if (values.watch !== true) {
    const { content, raw } = await api.get(path, Run, { text: 'none' })
    output.answer(raw)
    if (!output.isJson) printRun(content, output)
    return exit.ok
  }
  // A warning in between would tear the drawing.
  await watchRun(
    apiFor(values, context, () => {}),
    path,
    output,
  )
  const { content, raw } = await api.get(path, Run, { text: 'none' })
  output.answer(raw)
  if (!output.isJson) printRun(content, output)
  return forgiving(exitOfRun(content), values['changes-ok'])
}
