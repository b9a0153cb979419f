import type { CheckRun, CheckSuite, PullRequest } from '#emulator/records.ts'
import { fullName } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { appBody } from './app.ts'
import { nodeId, stamp } from './node-id.ts'
import { minimalPullBody } from './pull-request.ts'

/**
 * Open pull requests whose head is the check's commit. It means no more than that: others may share the commit. Pull
 * requests from forks are never among them.
 */
const pullsAt = (world: World, check: Pick<CheckRun, 'repository' | 'headSha'>): PullRequest[] =>
  [...world.store.pulls.values()].filter(
    (pull) =>
      pull.repository === check.repository &&
      pull.headRepository === check.repository &&
      pull.headSha === check.headSha &&
      pull.state === 'open',
  )

/** GitHub's check-run. */
export const checkRunBody = (world: World, check: CheckRun) => {
  const url = `${world.urls.api}/repos/${fullName(check.repository)}/check-runs/${check.id}`
  const html = `${world.urls.web}/${fullName(check.repository)}/runs/${check.id}`
  return {
    id: check.id,
    node_id: nodeId('CR', check.id),
    name: check.name,
    head_sha: check.headSha,
    external_id: check.externalId,
    url,
    html_url: html,
    details_url: check.detailsUrl ?? html,
    status: check.status,
    conclusion: check.conclusion,
    started_at: check.startedAt ? stamp(check.startedAt) : null,
    completed_at: check.completedAt ? stamp(check.completedAt) : null,
    output: {
      title: check.title,
      summary: check.summary,
      text: check.text,
      annotations_count: check.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: check.suite.id },
    app: appBody(world, check.suite.app),
    pull_requests: pullsAt(world, check).map((pull) => minimalPullBody(world, pull)),
  }
}

/** GitHub's check suite, as webhooks carry it. */
export const checkSuiteBody = (world: World, suite: CheckSuite) => {
  const url = `${world.urls.api}/repos/${fullName(suite.repository)}/check-suites/${suite.id}`
  const runs = [...world.store.checkRuns.values()].filter((check) => check.suite === suite)
  const done = runs.length > 0 && runs.every((check) => check.status === 'completed')
  const failed = runs.find((check) => !['success', 'neutral', 'skipped'].includes(check.conclusion ?? ''))
  return {
    id: suite.id,
    node_id: nodeId('CS', suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    status: done ? 'completed' : 'queued',
    conclusion: done ? (failed?.conclusion ?? 'success') : null,
    url,
    pull_requests: pullsAt(world, suite).map((pull) => minimalPullBody(world, pull)),
    app: appBody(world, suite.app),
    created_at: stamp(suite.createdAt),
    updated_at: stamp(suite.createdAt),
  }
}
