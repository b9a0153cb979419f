import { type PlayedRun, playRun } from '#emulator/people/play-workflow-run.ts'
import type { WorkflowJob, WorkflowRun } from '#emulator/records.ts'
import { accountOf } from '#emulator/store.ts'
import { decideApprovals, mayReview, pendingApprovals } from '#emulator/workflows/approvals.ts'
import { cancelRun, latestJobs, rerunRun } from '#emulator/workflows/start.ts'
import type { World } from '#emulator/world.ts'

/** A workflow run, and the buttons of its page. */
export type WorkflowRunHandle = {
  id: number
  /** Its current state: status, conclusion, attempt, inputs, displayTitle. */
  now(): Readonly<WorkflowRun>
  /** Of the latest attempt, including jobs that it took over. */
  jobs(): Readonly<WorkflowJob>[]
  /** Acts as its runner: for a run that no engine has taken. */
  play(): PlayedRun
  /** Throw unless the run is completed. */
  rerun(): void
  rerunFailed(): void
  cancel(): void
  /** The environments that wait for reviewers. */
  pendingApprovals(): { environment: string; jobs: number[] }[]
  /** Throw if the person is not a reviewer of the environment, or nothing waits for it. */
  approve(environment: string, by: string): void
  reject(environment: string, by: string): void
  /** Kills the processes of a job at once; it fails so much later. False if no job of that id has a runner. */
  killRunner(jobId: number, failsAfterMs?: number): boolean
}

export const workflowRunHandle = (world: World, run: WorkflowRun): WorkflowRunHandle => {
  const decide = (name: string, login: string, approved: boolean): void => {
    const pending = pendingApprovals(world, run).filter(
      ({ environment }) => environment.name.toLowerCase() === name.toLowerCase(),
    )
    const [first] = pending
    if (!first) throw new Error(`no job of workflow run ${run.id} waits for ${name}`)
    const person = accountOf(world.store, login, 'User', world.clock())
    if (!mayReview(world, run.repository, first.environment, person)) {
      throw new Error(`${login} is no reviewer of ${name}: ${first.environment.reviewers.join(', ')}`)
    }
    decideApprovals(world, pending, approved)
  }
  return {
    id: run.id,
    now: () => ({ ...run }),
    jobs: () => latestJobs(world, run),
    play: () => playRun(world, run),
    rerun: () => rerunRun(world, run, 'all'),
    rerunFailed: () => rerunRun(world, run, 'failed'),
    cancel: () => cancelRun(world, run),
    pendingApprovals: () =>
      [...Map.groupBy(pendingApprovals(world, run), ({ environment }) => environment.name)].map(
        ([environment, waiting]) => ({ environment, jobs: waiting.map(({ jobId }) => jobId) }),
      ),
    approve: (environment, by) => decide(environment, by, true),
    reject: (environment, by) => decide(environment, by, false),
    killRunner: (jobId, failsAfterMs = 0) =>
      world.actions.running.get(run.id)?.killRunner(jobId, failsAfterMs) ?? false,
  }
}
