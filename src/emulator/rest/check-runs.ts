import { appIdOf } from '#emulator/bodies/app.ts'
import { checkRunBody } from '#emulator/bodies/check-run.ts'
import { resolveCommit } from '#emulator/git/commits.ts'
import type { CheckRun } from '#emulator/records.ts'
import { suiteOf } from '#emulator/store.ts'
import { emitCheckRun } from '#emulator/webhooks/check-events.ts'
import { type CheckChange, createCheckSchema, updateCheckSchema } from './check-run-schema.ts'
import type { RepositoryCall } from './serving/call.ts'
import { GitHubError, notFound, validationFailed } from './serving/errors.ts'
import { paginate } from './serving/pagination.ts'
import { repositoryRoute } from './serving/route.ts'
import { parseBody } from './serving/validation.ts'

const checkOf = ({ world, repository, params }: RepositoryCall): CheckRun => {
  const check = world.store.checkRuns.get(Number(params.check_run_id))
  if (!check || check.repository !== repository) throw notFound()
  return check
}

/** Sets the given fields on a check run. A conclusion completes it; `completed` without one is refused. */
const change = (check: CheckRun, given: CheckChange, now: Date): void => {
  if (given.status === 'completed' && given.conclusion === undefined) {
    const message = 'A conclusion is required when status is completed.'
    throw validationFailed({ resource: 'CheckRun', code: 'missing_field', field: 'conclusion', message })
  }
  const { output } = given
  check.name = given.name ?? check.name
  check.detailsUrl = given.details_url ?? check.detailsUrl
  check.externalId = given.external_id ?? check.externalId
  check.title = output?.title ?? check.title
  check.summary = output?.summary ?? check.summary
  check.text = output?.text ?? check.text
  check.startedAt = given.started_at ? new Date(given.started_at) : check.startedAt
  check.annotations.push(
    ...(output?.annotations ?? []).map((one) => ({
      path: one.path,
      startLine: one.start_line,
      endLine: one.end_line,
      level: one.annotation_level,
      message: one.message,
      title: one.title ?? null,
    })),
  )
  if (given.conclusion !== undefined) {
    check.status = 'completed'
    check.conclusion = given.conclusion
    check.completedAt = given.completed_at ? new Date(given.completed_at) : now
  } else if (given.status !== undefined) {
    check.status = given.status
    check.conclusion = null
    check.completedAt = null
  }
}

const createCheck = async (call: RepositoryCall) => {
  const { world, repository } = call
  const given = parseBody('CheckRun', createCheckSchema, call.body)
  const sha = /^[0-9a-f]{40}$/.test(given.head_sha) && (await resolveCommit(repository.gitDir, given.head_sha))
  if (!sha) throw new GitHubError(422, `No commit found for SHA: ${given.head_sha}`)
  const now = world.clock()
  const headBranch = [...world.store.pulls.values()].find((pull) => pull.headSha === sha)?.headRef ?? null
  const check: CheckRun = {
    id: world.store.newId(),
    repository,
    suite: suiteOf(world.store, { repository, app: 'app', headSha: sha, headBranch, now }),
    name: given.name,
    headSha: sha,
    externalId: '',
    detailsUrl: null,
    status: 'queued',
    conclusion: null,
    startedAt: now,
    completedAt: null,
    title: null,
    summary: null,
    text: null,
    annotations: [],
  }
  change(check, given, now)
  world.store.checkRuns.set(check.id, check)
  emitCheckRun(world, check, 'created')
  if (check.status === 'completed') emitCheckRun(world, check, 'completed')
  return { status: 201, body: checkRunBody(world, check) }
}

const updateCheck = (call: RepositoryCall) => {
  const { world } = call
  const check = checkOf(call)
  // GitHub lets an app change its own check runs only.
  if (check.suite.app !== 'app') throw new GitHubError(403, 'Invalid app_id')
  const before = check.status
  change(check, parseBody('CheckRun', updateCheckSchema, call.body), world.clock())
  if (before !== 'completed' && check.status === 'completed') emitCheckRun(world, check, 'completed')
  return { body: checkRunBody(world, check) }
}

/** The latest of each name unless all are requested; newest first. */
const listChecks = async (call: RepositoryCall) => {
  const { world, repository, params, query } = call
  const sha = await resolveCommit(repository.gitDir, params.ref ?? '')
  if (sha === undefined) throw new GitHubError(422, `No commit found for SHA: ${params.ref}`)
  const matching = [...world.store.checkRuns.values()].filter(
    (check) =>
      check.repository === repository &&
      check.headSha === sha &&
      (query.check_name === undefined || check.name === query.check_name) &&
      (query.status === undefined || check.status === query.status) &&
      (query.app_id === undefined || String(appIdOf(world, check.suite.app)) === query.app_id),
  )
  const latest = new Map(matching.map((check) => [`${check.suite.id} ${check.name}`, check]))
  const shown = new Set(latest.values())
  const listed = query.filter === 'all' ? matching : matching.filter((check) => shown.has(check))
  return paginate(call, listed.reverse(), (page, total) => ({
    total_count: total,
    check_runs: page.map((check) => checkRunBody(world, check)),
  }))
}

/** GitHub Docs, 'REST API endpoints for check runs'. */
export const checkRunRoutes = [
  repositoryRoute('POST', '/check-runs', ['checks', 'write'], createCheck),
  repositoryRoute('GET', '/check-runs/{check_run_id}', ['checks', 'read'], (call) => ({
    body: checkRunBody(call.world, checkOf(call)),
  })),
  repositoryRoute('PATCH', '/check-runs/{check_run_id}', ['checks', 'write'], updateCheck),
  repositoryRoute('GET', '/commits/{ref}/check-runs', ['checks', 'read'], listChecks),
]
