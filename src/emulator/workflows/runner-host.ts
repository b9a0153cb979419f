import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { RunnerHost } from '#emulator/actions/contract.ts'
import { tokenRequestUrl } from '#emulator/oidc/routes.ts'
import type { World } from '#emulator/world.ts'
import { askApproval } from './approvals.ts'
import { recordJob, recordRun } from './record.ts'
import { isOfFork } from './start.ts'

/** The surroundings of every job: environment variables, and directories put before PATH. */
export type RunnerOptions = { env?: Record<string, string>; path?: string[] }

/** The emulator's side of the contract with the Actions engine. */
export const createRunnerHost = (world: World, options: RunnerOptions): RunnerHost => {
  const workDir = join(world.dataDir, 'runners')
  mkdirSync(workDir, { recursive: true })
  return {
    serverUrl: world.urls.web,
    apiUrl: world.urls.api,
    workDir,
    newJobId: world.store.newId,
    tokenRequest: (job) => {
      const run = world.store.workflowRuns.get(job.runId)
      if (!run || isOfFork(run)) return undefined
      return { url: tokenRequestUrl(world, job.id), token: world.issuer.grant(job) }
    },
    approval: (job) => askApproval(world, job),
    onRun: (update) => recordRun(world, update),
    onJob: (update) => recordJob(world, update),
    onLog: (jobId, text) => {
      const job = world.store.jobs.get(jobId)
      if (!job) return
      job.log += text
      const lost = world.faults.onRunner(job)
      if (lost) world.actions.running.get(job.run.id)?.killRunner(job.id, lost.failsAfterMs)
    },
    env: options.env ?? {},
    path: options.path ?? [],
  }
}
