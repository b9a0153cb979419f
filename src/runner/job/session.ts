import type { CheckVerdict } from '#api/check.ts'
import type { RepoConfig } from '#domain/config-file.ts'
import { Problem } from '#errors.ts'
import { type Checkout, openCheckout } from '../checkout/checkout.ts'
import { readRepoConfig } from '../checkout/repo-config.ts'
import type { Context } from '../command.ts'
import { type ExitCode, exit, exitOf } from '../exit.ts'
import { isUnreachable } from '../service/attempts.ts'
import { describeProblem } from '../service/describe-problem.ts'
import type { Service } from '../service/service.ts'
import { runIdOf, type Selected, type StackFlags, selectSome } from './selection.ts'
import { type StackJob, stackJob } from './stack-job.ts'
import { openWorkDir, type WorkDir } from './work-dir.ts'

/** What a job has at hand for the stacks it is about. */
export type PlanSession = {
  checkout: Checkout
  config: RepoConfig
  jobs: StackJob[]
  work: WorkDir
  runId: string | undefined
  service: Service | undefined
}

/** A plan of another commit would be reported as this one's. */
const checkHead = ({ head }: Checkout, selected: readonly Selected[]): void => {
  const other = selected.find(({ sha }) => sha !== undefined && head !== undefined && sha !== head)
  if (other === undefined) return
  throw new Problem(
    'invalid',
    `${head} is checked out, and ${other.key} is to be planned at ${other.sha}: give actions/checkout ref: matrix.sha`,
  )
}

/** Finds the stacks, the configuration and the work directory that the flags and the job's environment name. */
export const openSession = async (
  values: StackFlags & { tool?: string },
  service: Service | undefined,
  { environment, output, cwd }: Context,
): Promise<PlanSession> => {
  const selected = selectSome(values, environment)
  const runId = runIdOf(values, environment)
  const checkout = await openCheckout(cwd)
  checkHead(checkout, selected)
  const config = await readRepoConfig(checkout.root, output)
  const program = values.tool ?? environment.tool
  const jobs = selected.map((one) => stackJob(one, { root: checkout.root, config, program }))
  for (const { key, isConfigured } of jobs)
    if (!isConfigured)
      output.warn(`svc.yml knows no stack ${key}: it is planned without var files and backend configuration`)
  const work = openWorkDir(environment, checkout.root, values['work-dir'], cwd)
  return { checkout, config, jobs, work, runId, service }
}

export type Verdict = CheckVerdict & { name: string }

/** Posts a verdict; what the service says of it is told, and answered as an exit status. */
export const postVerdict = async (
  { service, runId }: Pick<PlanSession, 'service' | 'runId'>,
  key: string,
  { name, ...verdict }: Verdict,
  { output }: Context,
): Promise<ExitCode> => {
  if (service === undefined) return exit.ok
  if (runId === undefined) {
    output.warn(`${key}: svc resolve registered no run, so the verdict of ${name} is not posted`)
    return exit.ok
  }
  try {
    await service.postCheck(runId, key, name, verdict)
    return exit.ok
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (isUnreachable(error)) output.warn(`${error.message}. The verdict of ${name} on ${key} is not posted`)
    else output.fail(describeProblem(error))
    return exitOf(error)
  }
}
