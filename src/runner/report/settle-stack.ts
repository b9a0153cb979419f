import type { RepoConfig } from '#domain/config/config-file.ts'
import type { StackResult } from '#domain/result.ts'
import { runConfiguredChecks } from '../check/configured-checks.ts'
import type { Posted } from '../check/post-verdict.ts'
import type { Context } from '../command.ts'
import { type ExitCode, exit, gravest } from '../exit.ts'
import { type HeldResult, holdResult } from '../job/held-result.ts'
import { jobUrl } from '../job/job-url.ts'
import type { Session } from '../job/session.ts'
import type { StackJob } from '../job/stack-job.ts'
import type { Stop } from '../job/stop.ts'
import type { Masks } from '../mask/masks.ts'
import { addSummary } from '../output/step-files.ts'
import { reportHeld } from './report-held.ts'
import { printResult, resultSummary } from './show-result.ts'

/** A session whose stacks are being worked on; a held result waits for svc report. */
export type Working = Session & { context: Context; stop: Stop; isHeld: boolean; policy: RepoConfig }

export type Settled = { key: string; result: StackResult; code: ExitCode }

/** Keeps a result in the work directory. svc report takes it from there if this process cannot report it itself. */
export const keepResult = async (
  { context, work, runId }: Pick<Working, 'context' | 'work' | 'runId'>,
  key: string,
  result: StackResult,
): Promise<HeldResult> => {
  const url = jobUrl(context.environment)
  const whole = { ...result, ...(url === undefined ? {} : { job_url: url }) }
  const held = { key, ...(runId === undefined ? {} : { run_id: runId }), reported: false, result: whole }
  await holdResult(work, held)
  return held
}

/** What came of the work on a stack; `before` is what came of the verdicts that were posted on the way. */
type Ended = { result: StackResult; masks: Masks; ownCode: ExitCode; before?: readonly Posted[] }

/**
 * Ends the work on one stack: shows and keeps its result, runs the configured checks after a success, and reports. The exit
 * status is the gravest of the result's own (`ownCode`) and of those of what the service did not take: a result or a verdict that
 * it turned down is not hidden behind a plan with changes. Only an apply must have reached the service as well.
 */
export const settleStack = async (
  working: Working,
  job: StackJob,
  { result, masks, ownCode, before = [] }: Ended,
): Promise<Settled> => {
  const { context, work, service, isHeld } = working
  const { environment, output } = context
  const { key } = job
  printResult(output, key, result)
  await addSummary(environment, resultSummary(key, result))
  const held = await keepResult(working, key, result)
  const on = result.mode
  const verdicts =
    result.status === 'success' && on !== 'drift' ? await runConfiguredChecks(working, job, { masks, on }) : []
  const reported = isHeld ? undefined : await reportHeld(held, { service, work, output })
  const answers = [...before, ...verdicts, ...(reported === undefined ? [] : [reported])]
  const codes = answers.filter(({ outcome }) => outcome === 'refused').map(({ code }) => code)
  const unheard = on === 'apply' ? (reported?.code ?? exit.ok) : exit.ok
  return { key, result: held.result, code: gravest([ownCode, ...codes, unheard]) }
}
