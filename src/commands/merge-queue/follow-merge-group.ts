import type { MergeGroupFact } from '#codehost/fact.ts'
import { lockRuns } from '#db/machines/runs.ts'
import { timeOfDatabase } from '#db/moment.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { lockGroupRuns } from '#db/runs/merge-group-runs.ts'
import { transact } from '#db/transact.ts'
import { findPlanView } from '#db/views/runs/plan-view.ts'
import { isOpen } from '#domain/run-status.ts'
import type { Deps } from '../deps.ts'
import { findOrBeginGroupRun } from './begin-group-run.ts'
import { plannedTree } from './planned-tree.ts'

type FollowDeps = Pick<Deps, 'pool' | 'findRepository' | 'codehost' | 'clock' | 'runtime'>

/**
 * Acts on a merge group that the queue made or took apart. A new one gets its plan run at once, so that `svc/plan` is seen on its commit
 * before any job has begun, and passes without one where the very tree was planned. Returns false if nothing follows: groups of pull
 * requests that were never planned here are not ours.
 */
export const followMergeGroup = async (
  deps: FollowDeps,
  fact: MergeGroupFact,
  cause?: string | null,
): Promise<boolean> => {
  const repository = await deps.findRepository(fact.repoId)
  if (!repository || repository.removed || repository.suspended) return false
  const followed =
    fact.action === 'destroyed' ? giveUp(deps, repository, fact, cause) : begin(deps, repository, fact, cause)
  if (!(await followed)) return false
  deps.runtime.wake()
  return true
}

const begin = async (
  deps: FollowDeps,
  repository: Repository,
  { group, sha, baseSha }: MergeGroupFact,
  cause: string | null | undefined,
): Promise<boolean> => {
  const { pool, codehost } = deps
  if (!(await findPlanView(pool, repository.id, group.prNumber))) return false
  const askedAt = await timeOfDatabase(pool)
  const [head, pull] = await Promise.all([
    codehost.branchHead(repository, group.branch),
    codehost.getPullRequest(repository, group.prNumber),
  ])
  if (head !== sha || !pull) return false
  const planned = await plannedTree(deps, repository, pull, sha)
  const who = { actor: 'codehost', cause }
  await transact(pool, (tx) =>
    findOrBeginGroupRun(deps, tx, { repository, group, sha, baseSha, pull, askedAt, planned, job: undefined, who }),
  )
  return true
}

/** The queue took the group apart, or merged it without waiting for its plan: nobody waits for the run any more. */
const giveUp = (
  { pool, runtime }: FollowDeps,
  repository: Repository,
  { group, sha }: MergeGroupFact,
  cause: string | null | undefined,
): Promise<boolean> =>
  transact(pool, async (tx) => {
    const runs = await lockGroupRuns(tx, repository.id, group.branch)
    // who is queued again on the same base has a branch of the same name, and this may be heard late
    const open = runs.filter((run) => run.sha === sha && isOpen(run.status)).map(({ id }) => id)
    await lockRuns(tx, open)
    const event = { type: 'head.replaced', sha } as const
    await runtime.sendAll(
      tx,
      open.map((id) => ({ to: { kind: 'run', id }, event, actor: 'codehost', cause })),
    )
    return open.length > 0
  })
