import { refreshPullRequest } from '#commands/host-news/refresh-pull-request.ts'
import { openPullRequests, pullRequestsNumbered } from '#db/repositories/pull-requests.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { type PatrolDeps, patrolRepositories, turn } from './patrol-repositories.ts'

type Known = Awaited<ReturnType<typeof openPullRequests>>[number]

/** Repositories checked in ten minutes, and pull requests read again in each. */
const most = { repositories: 100, pulls: 50 }

/**
 * Compares the pull requests that are open here with those of the code host, and reads again those that differ: a pull
 * request whose closing was missed would hold its locks for ever.
 */
export const reconcilePullRequests = async (deps: PatrolDeps, cause: string | null): Promise<void> => {
  const open = Map.groupBy(await openPullRequests(deps.pool), (pull) => pull.repo_id)
  const round = Math.floor(+deps.clock.now() / 600_000)
  await patrolRepositories(deps, turn([...open.keys()], most.repositories, round), async (repository) => {
    const differing = await differingFrom(deps, repository, open.get(repository.id) ?? [])
    for (const number of differing.slice(0, most.pulls)) {
      deps.signal.throwIfAborted()
      await refreshPullRequest(deps, repository.id, number, cause)
    }
  })
}

const differingFrom = async (
  { pool, codehost }: PatrolDeps,
  repository: Repository,
  known: readonly Known[],
): Promise<number[]> => {
  const listed = await codehost.listOpenPullRequests(repository)
  const there = new Map(listed.map((pull) => [pull.number, pull]))
  const here = new Set(known.map(({ number }) => number))
  const changed = known.filter(({ number, head_sha: headSha, base_ref: baseRef }) => {
    const pull = there.get(number)
    return pull?.headSha !== headSha || pull.baseRef !== baseRef
  })
  // pull requests never heard of come with their first job; those that are closed here were reopened
  const unknown = listed.filter(({ number }) => !here.has(number)).map(({ number }) => number)
  const reopened = await pullRequestsNumbered(pool, repository.id, unknown)
  return [...changed.map(({ number }) => number), ...reopened]
}
