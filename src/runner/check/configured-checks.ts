import type { RepoConfig } from '#domain/config/config-file.ts'
import { compileGlobs } from '#domain/config/glob.ts'
import type { Context } from '../command.ts'
import type { Session } from '../job/session.ts'
import type { StackJob } from '../job/stack-job.ts'
import type { Stop } from '../job/stop.ts'
import type { Masks } from '../mask/masks.ts'
import { type Posted, postVerdict } from './post-verdict.ts'
import { runCheck } from './run-check.ts'
import { boundVerdict, verdictOf } from './verdict.ts'

type Check = RepoConfig['checks'][number]

const isFor = ({ match, on, before }: Check, { key, path }: StackJob, when: string): boolean => {
  if (when !== (before === undefined ? on : `before ${before}`)) return false
  const matches = compileGlobs(match ?? ['**'])
  return matches(path) || matches(key)
}

/**
 * Runs the checks that the policy asks for before a plan, after it or after an apply, and posts their verdicts. Returns what came of
 * each: a verdict that fails is the check run's failure, not the command's. After a signal no further check is started.
 */
export const runConfiguredChecks = async (
  at: Session & { context: Context; stop: Stop; policy: RepoConfig },
  job: StackJob,
  { masks, on }: { masks: Masks; on: 'before plan' | 'plan' | 'apply' },
): Promise<Posted[]> => {
  const { policy, context, checkout, work, stop } = at
  const { environment, output } = context
  const posted: Posted[] = []
  for (const { name, run, mode } of policy.checks.filter((check) => isFor(check, job, on))) {
    if (stop.reason() !== undefined) break
    const program = ['sh', '-c', run]
    const { all } = environment
    const isBefore = on === 'before plan'
    const ended = await runCheck({ name, program, job, work, root: checkout.root, all, stop, output, isBefore })
    const verdict = boundVerdict(verdictOf(ended, { mode, masks, isKeptBack: job.planOutput === 'summary' }), output)
    const said = `check ${name} of ${job.key}: ${verdict.status}${verdict.summary === undefined ? '' : `, ${verdict.summary}`}`
    if (verdict.status === 'pass') output.print(`${said}\n`)
    else if (verdict.status === 'warn') output.warn(said)
    else output.fail(said)
    posted.push(await postVerdict(at, job.key, { name, ...verdict }, context))
  }
  return posted
}
