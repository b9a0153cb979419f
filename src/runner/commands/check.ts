import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CheckVerdict } from '#api/runs/check.ts'
import { isCheckName } from '#domain/keys.ts'
import { isWebAddress } from '#domain/texts/markdown.ts'
import { Problem } from '#errors.ts'
import { postVerdict } from '../check/post-verdict.ts'
import { runCheck } from '../check/run-check.ts'
import { boundVerdict, verdictOf } from '../check/verdict.ts'
import { type Context, defineCommand, usageProblem } from '../command.ts'
import { type ExitCode, exit, gravest } from '../exit.ts'
import { type StackFlags, stackFlags } from '../job/selection.ts'
import { openSession, type Session } from '../job/session.ts'
import type { StackJob } from '../job/stack-job.ts'
import { createStop } from '../job/stop.ts'
import type { WorkDir } from '../job/work-dir.ts'
import type { Masks } from '../mask/masks.ts'
import { sensitiveValues } from '../mask/sensitive-values.ts'
import { stackMasks } from '../mask/stack-masks.ts'
import { reachService, serviceFlags, tellNoToken } from '../service/reach-service.ts'

type CheckFlags = StackFlags & {
  status?: string
  mode?: string
  summary?: string
  'details-file'?: string
  'details-url'?: string
}

type Wanted = { name: string; program: string[] | undefined; values: CheckFlags }

const checkWanted = ({ name, program, values }: Wanted): void => {
  const { status, mode, 'details-url': url } = values
  if (!isCheckName(name))
    throw usageProblem(
      'check',
      `'${name}' is not a name for a check: expected up to 64 letters, digits, -, _ and ., and not resolve, plan or apply`,
    )
  if (program === undefined && status === undefined)
    throw usageProblem('check', 'the verdict needs either --status, or -- and a program')
  if (program !== undefined && status !== undefined)
    throw usageProblem('check', '--status and a program exclude each other: the exit status is the verdict')
  if (status !== undefined && !['pass', 'fail', 'warn'].includes(status))
    throw usageProblem('check', `--status=${status}: expected pass, fail or warn`)
  if (mode !== undefined && !['fail', 'warn'].includes(mode))
    throw usageProblem('check', `--mode=${mode}: expected fail or warn`)
  if (url !== undefined && !isWebAddress(url))
    throw usageProblem('check', `--details-url=${url}: expected an http:// or https:// address`)
}

/** What may not leave the job: secrets of the environment, and values that the stack's plan marks sensitive. */
const masksFor = (work: WorkDir, job: StackJob, { environment }: Context): Masks => {
  const masks = stackMasks(job, environment)
  const json = work.planJson(job.key)
  if (existsSync(json)) masks.add(sensitiveValues(JSON.parse(readFileSync(json, 'utf8'))))
  return masks
}

const readDetails = async (cwd: string, file: string): Promise<string> => {
  try {
    return await readFile(resolve(cwd, file), 'utf8')
  } catch (error) {
    throw new Problem('invalid', `--details-file: ${error instanceof Error ? error.message : error}`)
  }
}

const verdictFor = async (wanted: Wanted, session: Session, job: StackJob, context: Context): Promise<CheckVerdict> => {
  const { name, program, values } = wanted
  const { environment, output, cwd } = context
  const { work, checkout } = session
  const masks = masksFor(work, job, context)
  const isKeptBack = job.planOutput === 'summary'
  const said = {
    ...(values.summary === undefined ? {} : { summary: masks.hide(values.summary) }),
    ...(values['details-file'] === undefined
      ? {}
      : { details: masks.hide(await readDetails(cwd, values['details-file'])) }),
    ...(values['details-url'] === undefined ? {} : { details_url: values['details-url'] }),
  }
  if (program === undefined) return { status: values.status as CheckVerdict['status'], ...said }
  const stop = createStop()
  try {
    const { all } = environment
    const ended = await runCheck({ name, program, job, work, root: checkout.root, all, stop, output })
    const mode = values.mode === 'warn' ? 'warn' : 'fail'
    return { ...verdictOf(ended, { mode, masks, isKeptBack }), ...said }
  } finally {
    stop.release()
  }
}

const checkOne = async (wanted: Wanted, session: Session, job: StackJob, context: Context) => {
  const verdict = boundVerdict(await verdictFor(wanted, session, job, context), context.output)
  context.output.print(
    `check ${wanted.name} of ${job.key}: ${verdict.status}${verdict.summary ? `, ${verdict.summary}` : ''}\n`,
  )
  const posted = await postVerdict(session, job.key, { name: wanted.name, ...verdict }, context)
  const own = wanted.program !== undefined && verdict.status === 'fail' ? exit.error : exit.ok
  return { key: job.key, name: wanted.name, ...verdict, code: gravest([own, posted.code]) }
}

const perform = async (
  wanted: Wanted & { values: { url?: string; audience?: string } },
  context: Context,
): Promise<ExitCode> => {
  const { environment, output } = context
  checkWanted(wanted)
  const reached = reachService(wanted.values, environment, output)
  if (reached.kind === 'no-token') {
    tellNoToken(output, undefined)
    output.answer({ checks: [] })
    return exit.ok
  }
  const session = await openSession(wanted.values, reached.kind === 'service' ? reached.service : undefined, context)
  const checked: Awaited<ReturnType<typeof checkOne>>[] = []
  for (const job of session.jobs) checked.push(await checkOne(wanted, session, job, context))
  output.answer({ checks: checked.map(({ code: _code, ...verdict }) => verdict) })
  return gravest(checked.map(({ code }) => code))
}

export const check = defineCommand({
  name: 'check',
  usage: 'NAME [flags] [-- program …] | NAME --status=pass|fail|warn [flags]',
  text: `A program finds the plan's JSON in SVC_PLAN_JSON, and in the place of {} in its arguments; SVC_STACK, SVC_STACK_PATH,
SVC_INSTANCE, SVC_WORKSPACE, SVC_ENVIRONMENT and SVC_PLAN_FILE say the rest. It runs at the repository's root. Exit status 0
passes; its last line is the summary and its output the details. A check that fails exits 1.
Verdicts come before the result: after svc plan --hold and before svc report.`,
  flags: {
    ...stackFlags,
    ...serviceFlags,
    status: { says: 'the verdict: pass, fail or warn', value: 'STATUS', among: ['pass', 'fail', 'warn'] },
    mode: { says: 'what a failing program means: fail (the default) or warn', value: 'MODE', among: ['fail', 'warn'] },
    summary: { says: 'one line, up to 4 KB', value: 'TEXT' },
    'details-file': { says: 'a file of Markdown, up to 64 KB', value: 'FILE' },
    'details-url': { says: 'where to read more', value: 'URL' },
  },
  operands: 1,
  takesProgram: true,
  run: ({ values, operands, program }, context) => {
    const [name] = operands
    if (name === undefined) throw usageProblem('check', 'the name of the check comes first')
    return perform({ name, program, values }, context)
  },
})
