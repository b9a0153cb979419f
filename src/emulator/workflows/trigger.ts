import { readCommit } from '#emulator/git/commits.ts'
import type { Account, MergeGroup, PullRequest } from '#emulator/records.ts'
import { type PullRequestChange, pullRequestPayload } from '#emulator/webhooks/pull-request-payload.ts'
import type { World } from '#emulator/world.ts'
import { recordRun } from './record.ts'
import { commitsForWorkflows, recordGroupRun, recordPullRequestRun } from './record-run.ts'
import { startRun } from './start.ts'
import { readTrigger } from './trigger-of-file.ts'
import { workflowFiles } from './workflow-of.ts'

/**
 * Starts every workflow of the pull request's test merge that runs on this action: the pull request's own version of the
 * files counts, as on GitHub. With a conflict there is no test merge, and nothing runs.
 */
export const triggerPullRequest = async (world: World, pull: PullRequest, change: PullRequestChange): Promise<void> => {
  if (!world.actions.engine) return
  const commits = await commitsForWorkflows(world, pull)
  if (!commits) return
  for (const [path, text] of await workflowFiles(pull.repository, commits.merge)) {
    const trigger = readTrigger(path, text)
    if (trigger && !trigger.onPullRequest(change.action, pull.baseRef)) continue
    const name = trigger?.name ?? path
    const payload = pullRequestPayload(world, pull, change)
    const run = recordPullRequestRun(world, pull, commits, { path, name, text, payload, actor: change.sender })
    if (!trigger) recordRun(world, { id: run.id, attempt: 1, status: 'completed', conclusion: 'startup_failure' })
    else startRun(world, run)
  }
}

/** Starts every workflow of a merge group's commit that runs on merge queues. */
export const triggerMergeGroup = async (
  world: World,
  group: MergeGroup,
  actor: Account,
  payload: Record<string, unknown>,
): Promise<void> => {
  if (!world.actions.engine) return
  const head = await readCommit(group.pull.repository.gitDir, group.sha)
  for (const [path, text] of await workflowFiles(group.pull.repository, group.sha)) {
    const trigger = readTrigger(path, text)
    if (trigger?.onMergeGroup(group.pull.baseRef))
      startRun(world, recordGroupRun(world, group, head, { path, name: trigger.name ?? path, text, payload, actor }))
  }
}
