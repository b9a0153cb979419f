import { defaultConfig, type RepoConfig } from '#domain/config/config-file.ts'
import { stackSettings } from '#domain/config/stack-variants.ts'
import { Problem } from '#errors.ts'
import type { Output } from '../output/output.ts'
import { isUnreachable } from '../service/attempts.ts'
import type { Session } from './session.ts'
import type { StackJob } from './stack-job.ts'

/** What a job runs for a stack beside the tool, and gives to it. */
export type Hooks = { beforeInit: string[]; env: Record<string, string>; planArgs: string[]; applyArgs: string[] }

/**
 * The configuration whose checks and hooks are run. In a job of a run it is the default branch's, which the service reads: nothing
 * that a pull request writes into its own svc.yml is run. In a person's shell it is the checkout's.
 */
export const readPolicy = async (
  { service, runId, config }: Session,
  output: Output,
  { isNeeded }: { isNeeded: boolean },
): Promise<RepoConfig> => {
  if (service === undefined) return config
  const without = (why: string): RepoConfig => {
    output.warn(
      `${why}. Checks and hooks of svc.yml are left out: they are the default branch's, which the service knows`,
    )
    return defaultConfig
  }
  if (runId === undefined) return without('svc resolve registered no run')
  try {
    return await service.readConfig(runId)
  } catch (error) {
    // an older service has no such route
    const isAbsent = error instanceof Problem && error.code === 'not_found'
    if (isNeeded || !(isUnreachable(error) || isAbsent)) throw error
    return without((error as Problem).message)
  }
}

/** `$NAME` alone stands for the job's variable of that name. */
const valueFor = (name: string, text: string, all: Readonly<Record<string, string>>): string => {
  const named = /^\$([A-Za-z_]\w*)$/.exec(text)?.[1]
  if (named === undefined) return text
  const value = all[named]
  if (value === undefined)
    throw new Problem('invalid', `svc.yml: env.${name} is $${named}, which is not set in this job: give it to the step`)
  return value
}

/** The hooks of a stack. Throws a Problem if they name a variable that the job does not have. */
export const hooksOf = (
  policy: RepoConfig,
  { path, instance }: Pick<StackJob, 'path' | 'instance'>,
  all: Readonly<Record<string, string>>,
): Hooks => {
  const { before_init = [], env = {}, plan_args = [], apply_args = [] } = stackSettings(policy, { path, instance })
  const set = Object.entries(env).map(([name, text]) => [name, valueFor(name, text, all)] as const)
  return { beforeInit: before_init, env: Object.fromEntries(set), planArgs: plan_args, applyArgs: apply_args }
}
