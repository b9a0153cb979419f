import type { StackJob } from '../job/stack-job.ts'
import type { Stop } from '../job/stop.ts'
import type { WorkDir } from '../job/work-dir.ts'
import { cutBeginning, printable } from '../mask/sendable-text.ts'
import type { StackMasks } from '../mask/stack-masks.ts'
import type { Output, Relay } from '../output/output.ts'
import { dialectOf } from './dialect.ts'
import { endText, Failed } from './failed.ts'
import type { Ended } from './run-program.ts'
import type { Tool } from './tool.ts'

/** A stack, its tool, and what is needed to work on them. */
export type StackWork = { job: StackJob; tool: Tool; work: WorkDir; masks: StackMasks; stop: Stop; output: Output }

type Run = (relay: Partial<Relay>) => Promise<Ended>

/** Bytes of a tool's errors, from the end: the last ones say why it stopped. */
const ERROR_BYTES = 16 * 1024

/** What to report of a tool that failed: the end of its errors, and `note` if a person must know more. */
export const toolFailure = ({ job, masks, stop }: StackWork, what: string, ended: Ended, note = ''): Failed => {
  const said = `${job.program} ${what} ${endText(ended)}`
  const signal = stop.reason()
  const advice = dialectOf(job.tool).advice(ended.stderr)
  const why = `${signal === undefined ? said : `${said}, after the job was sent ${signal}`}${note}${advice}`
  const written = printable(ended.stderr.trim() === '' ? ended.stdout : ended.stderr).trim()
  // Errors quote values, and no text of this stack may leave the job.
  const shown = job.planOutput === 'summary' ? "its output is in the job's log" : masks.hide(written)
  return new Failed('failure', shown === '' ? why : cutBeginning(`${shown}\n\n${why}`, ERROR_BYTES), ended.code)
}

/**
 * Runs the tool under a title of the log, which shows its output as it comes. After a signal nothing further is started.
 * `quotesPlan` keeps standard output out of the log if the stack's plans are kept back.
 */
export const runTool = async (
  { output, job, stop }: StackWork,
  what: string,
  run: Run,
  { quotesPlan }: { quotesPlan: boolean } = { quotesPlan: false },
): Promise<Ended> => {
  const signal = stop.reason()
  if (signal !== undefined) throw new Failed('failure', `the job was sent ${signal} before ${job.program} ${what}`)
  const isKeptBack = quotesPlan && job.planOutput === 'summary'
  return await output.group(`${job.program} ${what} (${job.key})`, async () => {
    if (isKeptBack) output.print('plan_output is summary: only errors are shown\n')
    return await output.relay((relay) => run(isKeptBack ? { stderr: relay.stderr } : relay))
  })
}

/** Runs the tool as `runTool` does. Any exit status but 0 is thrown as the stack's failure. */
export const mustSucceed = async (stack: StackWork, what: string, run: Run): Promise<void> => {
  const ended = await runTool(stack, what, run)
  if (ended.code !== 0) throw toolFailure(stack, what, ended)
}
