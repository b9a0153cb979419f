import { existsSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { StackResult } from '#api/stack-result.ts'
import { limits } from '#domain/limits.ts'
import { summarise } from '#domain/plan-summary.ts'
import { Problem } from '#errors.ts'
import type { StackJob } from '../job/stack-job.ts'
import type { Stop } from '../job/stop.ts'
import type { WorkDir } from '../job/work-dir.ts'
import type { Masks } from '../mask/masks.ts'
import { cutBeginning, cutEnd, printable } from '../mask/sendable-text.ts'
import { sensitiveValues } from '../mask/sensitive-values.ts'
import type { Output, Relay } from '../output/output.ts'
import { reportedBackend } from '../tool/reported-backend.ts'
import type { Ended } from '../tool/run-program.ts'
import type { Tool } from '../tool/tool.ts'

export type PlanInput = { job: StackJob; tool: Tool; work: WorkDir; masks: Masks; stop: Stop; output: Output }

/** A tool's errors, from the end: the last ones say why it stopped. */
const ERROR_BYTES = 16 * 1024

/** Thrown inside a plan: what the result says of its failure. */
class Failed extends Error {
  readonly result: Pick<StackResult, 'status' | 'exit_code' | 'error_text'>

  constructor(status: 'failure' | 'error', text: string, code?: number | null) {
    super(text)
    this.result = { status, error_text: text, ...(code === null || code === undefined ? {} : { exit_code: code }) }
  }
}

const endText = ({ code, signal }: Ended): string =>
  code === null ? `was ended by ${signal}` : `ended with exit status ${code}`

const toolFailure = ({ job, masks, stop }: PlanInput, what: string, ended: Ended): Failed => {
  const said = `${job.program} ${what} ${endText(ended)}`
  const signal = stop.reason()
  const why = signal === undefined ? said : `${said}, after the job was sent ${signal}`
  const written = printable(ended.stderr.trim() === '' ? ended.stdout : ended.stderr).trim()
  // Errors quote values, and of this stack no text may leave the job.
  const shown = job.planOutput === 'summary' ? "its output is in the job's log" : masks.hide(written)
  return new Failed('failure', shown === '' ? why : cutBeginning(`${shown}\n\n${why}`, ERROR_BYTES), ended.code)
}

const mustSucceed = async (input: PlanInput, what: string, run: (relay: Relay) => Promise<Ended>): Promise<void> => {
  const { output, job, stop } = input
  const signal = stop.reason()
  if (signal !== undefined) throw new Failed('failure', `the job was sent ${signal} before ${job.program} ${what}`)
  const ended = await output.group(`${job.program} ${what} (${job.key})`, () => output.relay(run))
  if (ended.code !== 0) throw toolFailure(input, what, ended)
}

/** Runs the plan; its log goes by as it comes, but for that of a stack whose plans are to be kept back. */
const runPlan = async (input: PlanInput, file: string): Promise<0 | 2> => {
  const { tool, output, job, stop } = input
  const signal = stop.reason()
  if (signal !== undefined) throw new Failed('failure', `the job was sent ${signal} before ${job.program} plan`)
  const isKeptBack = job.planOutput === 'summary'
  const ended = await output.group(`${job.program} plan (${job.key})`, async () => {
    if (isKeptBack) output.print('plan_output is summary: the plan is not shown\n')
    return await output.relay((relay) => tool.plan(file, isKeptBack ? { stderr: relay.stderr } : relay))
  })
  if (ended.code === 0 || ended.code === 2) return ended.code
  throw toolFailure(input, 'plan', ended)
}

const shown = async (input: PlanInput, file: string, format: '-json' | '-no-color'): Promise<string> => {
  const ended = await input.tool.show(file, format)
  if (ended.code !== 0) throw toolFailure(input, `show ${format}`, ended)
  return ended.stdout
}

const parsePlan = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failed('error', `the plan's JSON cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

/** What the saved plan says: counts, and the text unless it is to be kept back. Without its JSON nothing could be masked. */
const readPlan = async (input: PlanInput, file: string): Promise<Partial<StackResult>> => {
  const { work, job, masks } = input
  const json = await shown(input, file, '-json')
  await writeFile(work.planJson(job.key), json, { mode: 0o600 })
  const plan = parsePlan(json)
  masks.add(sensitiveValues(plan))
  const summarised = summarise(plan)
  if (!summarised.ok) throw new Failed('error', `${job.program} show -json: ${summarised.problem}`)
  if (job.planOutput === 'summary') return { summary: summarised.summary }
  const whole = masks.hide(printable(await shown(input, file, '-no-color')))
  const { text, isCut } = cutEnd(whole, limits.planTextBytes)
  return { summary: summarised.summary, plan_text: text, ...(isCut ? { truncated: true } : {}) }
}

const versionFits = (wanted: string, version: string): boolean => version === wanted || version.startsWith(`${wanted}.`)

/** Only a warning: a plan writes no state that an older version could no longer read. */
const warnOfVersion = ({ job, output }: PlanInput, version: string | undefined): void => {
  const { toolVersion: wanted, key, program } = job
  if (wanted === undefined || version === undefined || versionFits(wanted, version)) return
  output.warn(`${key} is pinned to ${job.tool} ${wanted}, and ${program} is ${version}`)
}

const plan = async (input: PlanInput, known: Partial<StackResult>): Promise<StackResult> => {
  const { job, tool, work } = input
  if (!existsSync(job.directory)) throw new Failed('failure', `the checkout has no directory ${job.path}`)
  const version = await tool.version()
  warnOfVersion(input, version)
  Object.assign(known, { tool: job.tool, ...(version === undefined ? {} : { tool_version: version }) })
  await mustSucceed(input, 'init', (relay) => tool.init(relay))
  known.backend = reportedBackend(job, tool.backend())
  const { workspace } = job
  if (workspace !== undefined)
    await mustSucceed(input, `workspace select ${workspace}`, (relay) => tool.selectWorkspace(workspace, relay))
  const file = work.plan(job.key)
  const code = await runPlan(input, file)
  const read = await readPlan(input, file)
  return { mode: 'plan', status: 'success', exit_code: code, has_changes: code === 2, ...known, ...read }
}

const failureOf = (error: unknown): Failed['result'] => {
  if (error instanceof Failed) return error.result
  if (error instanceof Problem) return { status: 'error', error_text: error.message }
  throw error
}

/** Addresses may hold the keys of maps; whatever is masked in the text is masked in them. */
const maskSummary = ({ masks }: PlanInput, { summary, ...rest }: StackResult): StackResult => {
  if (summary === undefined) return rest
  const hidden = Object.entries(summary).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((address) => masks.hide(address)) : value,
  ])
  return { ...rest, summary: Object.fromEntries(hidden) as typeof summary }
}

/**
 * Plans one stack and answers what is to be reported of it, masked and within the limits. A plan that fails is an answer too;
 * what is thrown is an error of the client itself. A saved plan is left only where there are changes to apply.
 */
export const planStack = async (input: PlanInput): Promise<StackResult> => {
  const { job, work } = input
  const started = performance.now()
  const known: Partial<StackResult> = {}
  for (const left of [work.plan(job.key), work.planJson(job.key)]) rmSync(left, { force: true })
  const result = await plan(input, known).catch((error: unknown): StackResult => {
    const failure = failureOf(error)
    rmSync(work.planJson(job.key), { force: true })
    return { mode: 'plan', ...known, ...failure }
  })
  if (result.status !== 'success' || !result.has_changes) rmSync(work.plan(job.key), { force: true })
  return maskSummary(input, { ...result, duration_ms: Math.round(performance.now() - started) })
}
