import { addJobs, type NewJob } from '#db/jobs.ts'
import type { PullRequestRow } from '#db/pull-requests.ts'
import { type Repository, settleDefaultGraph } from '#db/repositories.ts'
import { addWarnings, lockRuns } from '#db/runs.ts'
import type { Tx } from '#db/sql.ts'
import { holdersOfPullRequest, type StaleRun, staleRuns } from '#db/superseding.ts'
import { baseChanged, superseding } from '#domain/warnings.ts'
import type { Who } from '#runtime/message.ts'
import type { Deps } from './deps.ts'
import { isMergedIntoDefault } from './merged-into-default.ts'

/** What is known of a pull request now, and what was known before it was read. */
export type News = { repository: Repository; before: PullRequestRow | undefined; now: PullRequestRow }

/**
 * Draws the consequences of how a pull request stands, in the transaction that recorded it and holds its row: runs of older
 * heads are superseded, locks hear of its closing or reopening, a merge brings its graph and its apply. All of it follows
 * from the state and not from the news of it, so that it may be drawn again, and deliveries may come in any order.
 */
export const followPullRequest = async (
  deps: Pick<Deps, 'runtime' | 'clock'>,
  tx: Tx,
  news: News,
  who: Who,
): Promise<void> => {
  const { repository, before, now } = news
  const moved = before !== undefined && now.state === 'open' && before.baseRef !== now.baseRef
  const stale = await staleRuns(tx, now, moved)
  const holders = await holdersOfPullRequest(tx, repository.id, now.number)
  // all runs in one order, before the repository and any stack lock; what the holders' stacks do is to stay as it is
  await lockRuns(tx, [...new Set([...stale.map(({ id }) => id), ...holders.map((holder) => holder.run_id)])])
  const merged = isMergedIntoDefault(repository, now)
  if (merged) await settleDefaultGraph(tx, repository.id)
  await supersede(deps, tx, stale, { now, ...(moved ? { formerBase: before.baseRef } : {}) }, who)
  if (holders.length > 0) await tellLocks(deps, tx, { pull: now, merged }, who)
  if (merged && before?.mergedAt === null)
    await addJobs(tx, [applyOnMergeJob(repository, now.number, who.cause ?? null)])
}

/**
 * A newer head makes plans worthless; an apply that is out settles its wave. So does another base: what is affected was found
 * by comparing with the former one, and the code host starts no workflow by itself for the new one.
 */
const supersede = async (
  { runtime, clock }: Pick<Deps, 'runtime' | 'clock'>,
  tx: Tx,
  stale: readonly StaleRun[],
  { now, formerBase }: { now: PullRequestRow; formerBase?: string },
  who: Who,
): Promise<void> => {
  const answers = await runtime.sendAll(
    tx,
    stale.map(({ id }) => ({ to: { kind: 'run', id }, event: { type: 'head.replaced', sha: now.headSha }, ...who })),
  )
  const at = clock.now().toISOString()
  const warnings = stale.flatMap(({ id, mode }, index) => {
    if (answers[index]?.outcome !== 'moved') return []
    if (formerBase !== undefined) return [{ runId: id, warning: { ...baseChanged(formerBase, now.baseRef), at } }]
    return mode === 'apply' ? [{ runId: id, warning: { ...superseding(now.headSha), at } }] : []
  })
  await addWarnings(tx, warnings)
}

/** Whether the stack's apply is out or still to come, in the run that holds its lock. */
const canMove = (status: string | null): boolean => status === 'pending' || status === 'applying'

const tellLocks = async (
  { runtime }: Pick<Deps, 'runtime'>,
  tx: Tx,
  { pull, merged }: { pull: PullRequestRow; merged: boolean },
  who: Who,
): Promise<void> => {
  const { number, state } = pull
  // read again: a result may have landed before its run was locked
  const holders = await holdersOfPullRequest(tx, pull.repoId, number)
  const told = state === 'closed' ? holders : holders.filter((holder) => holder.state === 'held.orphaned')
  await runtime.sendAll(
    tx,
    told.map(({ stack_id, status }) => ({
      to: { kind: 'lock', stackId: stack_id },
      event:
        state === 'open'
          ? { type: 'pull_request.reopened', pr_number: number }
          : {
              type: 'pull_request.closed',
              pr_number: number,
              merged,
              apply_in_flight: canMove(status),
            },
      ...who,
    })),
  )
}

/** In the same transaction as the merge is recorded, so that a crash loses none; carried out once, whoever merges. */
const applyOnMergeJob = (repository: Repository, number: number, cause: string | null): NewJob => ({
  kind: 'apply_on_merge',
  key: `${repository.id} ${number}`,
  lane: null,
  payload: { repo_id: repository.id, pr_number: number },
  cause,
})
