import { actorOf, ownerOf, type RunnerCaller } from '#commands/callers/caller.ts'
import { nameProblem } from '#commands/callers/claim-problem.ts'
import { timeOfDatabase } from '#db/moment.ts'
import type { MergeGroup } from '#domain/merge-group.ts'
import { invalid, Problem } from '#errors.ts'
import { rowOfPullRequest } from '#runtime/row-turns.ts'
import type { Deps } from '../deps.ts'
import { findOrBeginGroupRun } from './begin-group-run.ts'
import { plannedTree } from './planned-tree.ts'

/** What a merge queue's job says of itself; its token says which group it plans. */
type GroupRequest = {
  repo?: string | undefined
  sha?: string | undefined
  base_sha?: string | undefined
  pr_number?: number | undefined
  mode?: string | undefined
}

/**
 * Finds or begins the plan run of the merge group that a job belongs to (docs/interface.md, 'POST /v1/runs', 1). The group's branch must
 * still be there: the queue deletes it when the group is taken apart, and makes another.
 */
export const openGroupRun = async (
  deps: Deps,
  caller: RunnerCaller,
  group: MergeGroup,
  body: GroupRequest,
  cause?: string,
): Promise<{ id: string; existing: boolean }> => {
  const { repository, claims } = caller
  const { sha } = claims
  const problem = requestProblem(caller, group, body)
  if (problem) throw problem
  const askedAt = await timeOfDatabase(deps.pool)
  const [head, pull] = await Promise.all([
    deps.codehost.branchHead(repository, group.branch),
    deps.codehost.getPullRequest(repository, group.prNumber),
  ])
  if (!pull) throw new Problem('not_found', `pull request ${group.prNumber} of ${repository.full_name} does not exist`)
  if (head !== sha) throw new Problem('superseded', `the merge queue has given up ${group.branch} at ${sha}`)
  const planned = await plannedTree(deps, repository, pull, sha)
  const { workflowRunId, workflowRunAttempt } = claims
  const job = { workflowRunId, workflowRunAttempt }
  const who = { actor: actorOf(caller), cause }
  const baseSha = body.base_sha
  const place = {
    owner: ownerOf(caller),
    row: rowOfPullRequest(repository.id, group.prNumber),
    installationId: repository.installation_id,
  }
  return deps.runtime.transactInTurn(place, (tx) =>
    findOrBeginGroupRun(deps, tx, { repository, group, sha, baseSha, pull, askedAt, planned, job, who }),
  )
}

const requestProblem = (caller: RunnerCaller, group: MergeGroup, body: GroupRequest): Problem | undefined => {
  const { claims } = caller
  if (body.mode && body.mode !== 'plan')
    return invalid('mode', 'a job of a merge queue registers a plan run: plan, or empty')
  if (!body.repo) return invalid('repo', 'is missing: owner/name of the repository')
  if (!body.sha) return invalid('sha', "is missing: the commit at the tip of the queue's branch")
  const foreign = nameProblem(caller, body.repo)
  if (foreign) return foreign
  if (body.sha !== claims.sha)
    return new Problem('forbidden', `the token belongs to the merge group's commit ${claims.sha}, not to ${body.sha}`)
  if (body.pr_number !== undefined && body.pr_number !== group.prNumber)
    return new Problem('forbidden', `the token belongs to the merge group of pull request ${group.prNumber}`)
  return undefined
}
