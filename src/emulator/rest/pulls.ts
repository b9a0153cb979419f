import { fileBody, pullBody, simplePullBody } from '#emulator/bodies/pull-request.ts'
import { changedFiles, factsOf, testMerge } from '#emulator/pull-request-facts.ts'
import type { PullRequest } from '#emulator/records.ts'
import { findPull } from '#emulator/store.ts'
import type { RepositoryCall } from './serving/call.ts'
import { notFound } from './serving/errors.ts'
import { paginate } from './serving/pagination.ts'
import { repositoryRoute } from './serving/route.ts'

/** GitHub lists no more, however many there are. */
const maxFiles = 3000

/** The pull request of a number: by default the one in the path. */
export const pullOf = (call: RepositoryCall, number = Number(call.params.pull_number)): PullRequest => {
  const pull = findPull(call.world.store, call.repository, number)
  if (!pull) throw notFound()
  return pull
}

const getPull = async (call: RepositoryCall) => {
  const pull = pullOf(call)
  const body = pullBody(call.world, pull, await factsOf(call.world, pull))
  // Asking starts GitHub's computation: each request brings the answer nearer.
  pull.unknownMergeable.answers = Math.max(0, pull.unknownMergeable.answers - 1)
  return { body }
}

const listPulls = async (call: RepositoryCall) => {
  const { world, repository, query } = call
  const { state = 'open', head, base, direction = 'desc' } = query
  const wanted = [...world.store.pulls.values()].filter(
    (pull) =>
      pull.repository === repository &&
      (state === 'all' || pull.state === state) &&
      (base === undefined || pull.baseRef === base) &&
      (head === undefined || `${pull.headRepository?.owner.login ?? ''}:${pull.headRef}` === head),
  )
  const listed = await Promise.all(
    (direction === 'asc' ? wanted : wanted.reverse()).map(async (pull) =>
      simplePullBody(world, pull, pull.state === 'open' ? ((await testMerge(world, pull)) ?? null) : null),
    ),
  )
  return paginate(call, listed, (page) => page)
}

/** GitHub Docs, 'REST API endpoints for pull requests'. */
export const pullRoutes = [
  repositoryRoute('GET', '/pulls', ['pull_requests', 'read'], listPulls),

  repositoryRoute('GET', '/pulls/{pull_number}', ['pull_requests', 'read'], getPull),

  repositoryRoute('GET', '/pulls/{pull_number}/files', ['pull_requests', 'read'], async (call) => {
    const pull = pullOf(call)
    const files = (await changedFiles(pull)).slice(0, maxFiles)
    return paginate(call, files, (page) => page.map((file) => fileBody(call.world, pull, file)))
  }),
]
