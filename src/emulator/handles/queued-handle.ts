import { mergeGroup, takeApart } from '#emulator/people/merge-queue.ts'
import type { Account, CheckRun, MergeGroup, WorkflowRun } from '#emulator/records.ts'
import type { World } from '#emulator/world.ts'

/** A pull request in the merge queue. */
export type QueuedHandle = {
  group: Readonly<MergeGroup>
  sha: string
  /** The emulated app's check runs at its commit, oldest first. */
  checkRuns(): Readonly<CheckRun>[]
  workflowRuns(): Readonly<WorkflowRun>[]
  /** Its checks have passed. */
  merge(): Promise<void>
  /** A person takes it out of the queue, or something queued before it has failed. */
  giveUp(reason?: 'invalidated' | 'dequeued'): Promise<void>
}

export const queuedHandle = (world: World, group: MergeGroup, by: Account): QueuedHandle => ({
  group,
  sha: group.sha,
  checkRuns: () =>
    [...world.store.checkRuns.values()].filter((one) => one.headSha === group.sha && one.suite.app === 'app'),
  workflowRuns: () =>
    [...world.store.workflowRuns.values()].filter((run) => run.event === 'merge_group' && run.sha === group.sha),
  merge: () => mergeGroup(world, group, by),
  giveUp: (reason = 'dequeued') => takeApart(world, group, by, reason),
})
