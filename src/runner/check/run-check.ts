import { existsSync } from 'node:fs'
import { Problem } from '#errors.ts'
import type { StackJob } from '../job/stack-job.ts'
import type { Stop } from '../job/stop.ts'
import type { WorkDir } from '../job/work-dir.ts'
import type { Output } from '../output/output.ts'
import { type Ended, runProgram } from '../tool/run-program.ts'

export type CheckInput = {
  name: string
  /** A program and its arguments; `{}` in one stands for the path of the plan's JSON. */
  program: readonly string[]
  job: StackJob
  work: WorkDir
  root: string
  all: Readonly<Record<string, string>>
  stop: Stop
  output: Output
  /** Whether there is no plan yet. */
  isBefore?: boolean
}

const KEPT_BYTES = 128 * 1024

/** What a check's program gets in its environment besides the job's own variables: the plan, and the stack it is of. */
const variablesOf = ({ job, work, isBefore = false }: CheckInput): Record<string, string> => ({
  ...(isBefore ? {} : { SVC_PLAN_JSON: work.planJson(job.key) }),
  ...(existsSync(work.plan(job.key)) ? { SVC_PLAN_FILE: work.plan(job.key) } : {}),
  SVC_STACK: job.key,
  SVC_STACK_PATH: job.path,
  SVC_ENVIRONMENT: job.environment,
  ...(job.instance === undefined ? {} : { SVC_INSTANCE: job.instance }),
  ...(job.workspace === undefined ? {} : { SVC_WORKSPACE: job.workspace }),
})

/** Runs a check's program on the plan of a stack, at the repository's root, where policies lie. */
export const runCheck = async (input: CheckInput): Promise<Ended> => {
  const { name, program, job, work, root, all, stop, output } = input
  const json = work.planJson(job.key)
  if (input.isBefore !== true && !existsSync(json))
    throw new Problem(
      'invalid',
      `there is no plan of ${job.key} to check: svc plan comes first, and must have succeeded`,
    )
  const [command = '', ...args] = program.map((word) => word.replaceAll('{}', json))
  const env = { ...all, ...variablesOf(input) }
  return await output.group(`check ${name} (${job.key})`, () =>
    output.relay((relay) => runProgram({ command, args, cwd: root, env, stop, relay, kept: KEPT_BYTES })),
  )
}
