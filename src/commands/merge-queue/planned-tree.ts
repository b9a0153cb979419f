import type { PullRequest } from '#codehost/port.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { findPlanView, type PlanView } from '#db/views/runs/plan-view.ts'
import type { Deps } from '../deps.ts'

/** The plan run of a pull request whose files are those of a merge group, byte for byte. */
export type PlannedTree = { runId: string; graphId: string; prNumber: number }

/**
 * The plan of the very tree that a merge group is to merge, if there is one: a pull request that was up to date with its base and is
 * first in the queue. Trees are compared and not commits, since the queue makes a commit of its own. Undefined if anything of that plan
 * failed, or waits.
 */
export const plannedTree = async (
  { pool, codehost }: Pick<Deps, 'pool' | 'codehost'>,
  repository: Repository,
  pull: Pick<PullRequest, 'number' | 'headSha'>,
  sha: string,
): Promise<PlannedTree | undefined> => {
  const plan = await findPlanView(pool, repository.id, pull.number)
  if (!plan || plan.graph_id === null || plan.sha !== pull.headSha || !isWhole(plan)) return undefined
  const [planned, queued] = await Promise.all([pull.headSha, sha].map((each) => codehost.treeOf(repository, each)))
  if (planned === undefined || planned !== queued) return undefined
  return { runId: plan.id, graphId: plan.graph_id, prNumber: pull.number }
}

const isWhole = ({ status, stacks }: PlanView): boolean =>
  stacks.length === 0
    ? status === 'planned'
    : stacks.every((stack) => stack.status === 'planned' || stack.status === 'noop')
