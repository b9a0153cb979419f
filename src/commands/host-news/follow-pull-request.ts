import { addWarnings } from '#db/machines/runs.ts'
import { addJobs } from '#db/queue/jobs.ts'
import type { PullRequestRow } from '#db/repositories/pull-requests.ts'
import { type Repository, settleDefaultGraph } from '#db/repositories/repositories.ts'
import { holdersOfPullRequest } from '#db/runs/stale-runs.ts'
import type { Tx } from '#db/sql.ts'
import { isOpen } from '#domain/run-status.ts'
import { baseChanged, superseding } from '#domain/texts/warnings.ts'
import { makeJob } from '#jobs/job.ts'
import type { Who } from '#runtime/message.ts'
import type { Deps } from '../deps.ts'
import { isMergedIntoDefault } from './merged-into-default.ts'
import { type Reached, reachPullRequest, toldHolders } from './reach-pull-request.ts'
import { type News, type Recorded, recordPullRequest } from './record-pull-request.ts'

type FollowDeps = Pick<Deps, 'runtime' | 'clock'>

/** What somebody was told of a pull request, and when they asked. */
type Told = { repository: Repository; pull: Recorded; asOf: Date; cause: Who['cause'] }

/** Records what the code host said of a pull request, and draws its consequences. Returns its row as it is then. */
export const learnPullRequest = async (
  deps: FollowDeps,
  tx: Tx,
  { repository, pull, asOf, cause }: Told,
): Promise<PullRequestRow> => {
  const news = await recordPullRequest(tx, repository, pull, asOf)
  await followPullRequest(deps, tx, news, await reachPullRequest(tx, news), { actor: 'system', cause })
  return news.now
}

/**
 * Draws the consequences of a pull request's state, in the transaction that recorded it, holds its row and has locked what they
 * reach: runs of older heads are superseded, locks hear of its closing or reopening, a merge brings its graph and its apply. All of
 * it follows from the state and not from the news of it, so it may be drawn again, and deliveries may come in any order.
 */
export const followPullRequest = async (
  deps: FollowDeps,
  tx: Tx,
  { repository, before, now }: News,
  reached: Reached,
  who: Who,
): Promise<void> => {
  const merged = isMergedIntoDefault(repository, now)
  if (merged) await settleDefaultGraph(tx, repository.id)
  await supersede(deps, tx, now, reached, who)
  if (reached.tellsLocks) await tellLocks(deps, tx, { pull: now, merged }, who)
  if (merged && before?.merged_at === null) {
    // in the transaction that records the merge, or a crash would lose it
    await addJobs(tx, [
      makeJob('apply_on_merge', { repo_id: repository.id, pr_number: now.number }, { cause: who.cause }),
    ])
  }
}

/**
 * A newer head makes plans worthless; an apply that is out settles its wave. Another base does the same: the affected stacks
 * were found by comparing with the former base, and the code host starts no workflow for the new one.
 */
const supersede = async (
  { runtime, clock }: FollowDeps,
  tx: Tx,
  now: PullRequestRow,
  { stale, formerBase }: Reached,
  who: Who,
): Promise<void> => {
  const answers = await runtime.sendAll(
    tx,
    stale.map(({ id }) => ({ to: { kind: 'run', id }, event: { type: 'head.replaced', sha: now.head_sha }, ...who })),
  )
  const at = clock.now().toISOString()
  const warnings = stale.flatMap(({ id, mode }, index) => {
    if (answers[index]?.outcome !== 'moved') return []
    if (formerBase !== undefined) return [{ runId: id, warning: { ...baseChanged(formerBase, now.base_ref), at } }]
    return mode === 'apply' ? [{ runId: id, warning: { ...superseding(now.head_sha), at } }] : []
  })
  await addWarnings(tx, warnings)
}

const tellLocks = async (
  { runtime }: Pick<Deps, 'runtime'>,
  tx: Tx,
  { pull, merged }: { pull: PullRequestRow; merged: boolean },
  who: Who,
): Promise<void> => {
  const { number, state } = pull
  // read again: a result may have come before its run was locked, and a run may just have been superseded
  const told = toldHolders(pull, await holdersOfPullRequest(tx, pull.repo_id, number))
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
              // out or still to come, in the run that holds the lock
              apply_in_flight: status !== null && isOpen(status),
            },
      ...who,
    })),
  )
}
