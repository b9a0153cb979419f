import type { RepoConfig } from '#domain/config/config-file.ts'
import { Problem } from '#errors.ts'
import { type Checkout, openCheckout } from '../checkout/checkout.ts'
import { readRepoConfig } from '../checkout/repo-config.ts'
import type { Context } from '../command.ts'
import type { Service } from '../service/service.ts'
import { runIdOf, type Selected, type StackFlags, selectSome } from './selection.ts'
import { type StackJob, stackJob } from './stack-job.ts'
import { openWorkDir, type WorkDir } from './work-dir.ts'

/** What a job needs to work on its stacks. */
export type Session = {
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
    `${head} is checked out, but the job is for ${other.key} at ${other.sha}: give actions/checkout that commit as ref`,
  )
}

/** Finds the stacks, the configuration and the work directory that the flags and the job's environment name. */
export const openSession = async (
  values: StackFlags & { tool?: string },
  service: Service | undefined,
  { environment, output, cwd }: Context,
): Promise<Session> => {
  const selected = selectSome(values, environment).map((one) => ({ sha: environment.sha, ...one }))
  const runId = runIdOf(values, environment)
  const checkout = await openCheckout(cwd)
  checkHead(checkout, selected)
  const config = await readRepoConfig(checkout.root, output)
  const program = values.tool ?? environment.tool
  const jobs = selected.map((one) => stackJob(one, { root: checkout.root, config, program }))
  for (const { key, isConfigured } of jobs)
    if (!isConfigured)
      output.warn(`svc.yml knows no stack ${key}: its tool is run without var files and backend configuration`)
  const work = openWorkDir(environment, checkout.root, values['work-dir'], cwd)
  return { checkout, config, jobs, work, runId, service }
}
