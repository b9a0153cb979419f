import { readFolder } from '#emulator/git/tree.ts'
import type { PullRequest, WorkflowRun } from '#emulator/records.ts'
import { type PullRequestChange, pullRequestPayload } from '#emulator/webhooks/pull-request-payload.ts'
import type { World } from '#emulator/world.ts'
import { commitsForWorkflows, recordPullRequestRun, recordRun } from './record.ts'
import { readTrigger } from './trigger-of-file.ts'

const folder = '.github/workflows'

/**
 * Starts every workflow of the pull request's test merge that runs on this action: the pull request's own version of the
 * files counts, as on GitHub. With a conflict there is no test merge, and nothing runs.
 */
export const triggerPullRequest = async (world: World, pull: PullRequest, change: PullRequestChange): Promise<void> => {
  if (!world.actions.engine) return
  const commits = await commitsForWorkflows(world, pull)
  if (!commits) return
  const files = await readFolder(pull.repository.gitDir, commits.merge, folder)
  for (const [path, text] of files) {
    if (!/\.ya?ml$/.test(path)) continue
    const trigger = readTrigger(path, text)
    const name = trigger?.name ?? path
    if (trigger && !trigger.onPullRequest(change.action, pull.baseRef)) continue
    const run = recordPullRequestRun(world, { pull, commits, path, name, actor: change.sender })
    if (!trigger) recordRun(world, { id: run.id, attempt: 1, status: 'completed', conclusion: 'startup_failure' })
    else start(world, run, text, pullRequestPayload(world, pull, change))
  }
}

const start = (world: World, run: WorkflowRun, workflowText: string, payload: Record<string, unknown>): void => {
  const { engine, running } = world.actions
  if (!engine) return
  const { repository } = run
  const started = engine.start({
    id: run.id,
    attempt: run.attempt,
    number: run.number,
    event: run.event,
    repo: {
      id: repository.id,
      owner: repository.owner.login,
      ownerId: repository.owner.id,
      name: repository.name,
      defaultBranch: repository.defaultBranch,
    },
    ref: run.ref,
    sha: run.sha,
    headRef: run.headRef,
    baseRef: run.baseRef,
    payload,
    inputs: {},
    workflowPath: run.workflow.path,
    workflowText,
    actor: run.actor.login,
    gitDir: repository.gitDir,
    vars: repository.vars,
    secrets: repository.secrets,
  })
  running.set(run.id, started)
  void started.done.finally(() => running.delete(run.id))
}
