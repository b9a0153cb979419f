import { lockLocks } from '#db/machines/locks.ts'
import { lockRuns } from '#db/machines/runs.ts'
import type { PullRequestRow } from '#db/repositories/pull-requests.ts'
import { type Holder, holdersOfPullRequest, type StaleRun, staleRuns } from '#db/runs/stale-runs.ts'
import type { Tx } from '#db/sql.ts'
import { locksHearingEnd } from '#runtime/locks-hearing-end.ts'
import type { News } from './record-pull-request.ts'

/** What the news of a pull request reach. */
export type Reached = {
  /** Runs that the pull request's state replaces. */
  stale: readonly StaleRun[]
  /** The base branch that it had before, if it has another one now. */
  formerBase: string | undefined
  /** Whether locks that it holds are told of its state. */
  tellsLocks: boolean
}

/** What else a transaction locks. */
type Besides = { runIds?: readonly string[]; stackIds?: readonly string[] }

/** The holders whose locks are told of a pull request's state: of its closing all, of its reopening those that heard of the closing. */
export const toldHolders = ({ state }: Pick<PullRequestRow, 'state'>, holders: readonly Holder[]): Holder[] =>
  holders.filter((holder) => state === 'closed' || holder.state === 'held.orphaned')

/**
 * Locks all that following a pull request may change, and what the transaction changes besides: runs, then stack locks, each in the order
 * of ids. It comes before anything is stored. A job or the standing of a stack is a row that others wait for, with locks in their
 * hands: who stored it and then asks for a lock closes a circle (seen once in 100,000 operations on locks). The row of the pull request
 * is locked already.
 */
export const reachPullRequest = async (
  tx: Tx,
  { repository, before, now }: News,
  { runIds = [], stackIds = [] }: Besides = {},
): Promise<Reached> => {
  // of a closed one too: its merge, which applies, may be the first that is heard of the other base
  const formerBase = before && before.base_ref !== now.base_ref ? before.base_ref : undefined
  const stale = await staleRuns(tx, now, formerBase !== undefined)
  const holders = toldHolders(now, await holdersOfPullRequest(tx, repository.id, now.number))
  const runs = new Set([...stale.map(({ id }) => id), ...holders.map((holder) => holder.run_id), ...runIds])
  if (runs.size > 0) await lockRuns(tx, [...runs])
  const applies = stale.flatMap(({ id, mode }) => (mode === 'apply' ? [id] : []))
  const ofApplies = applies.length > 0 ? await locksHearingEnd(tx, applies) : []
  const locks = new Set([...holders.map((holder) => holder.stack_id), ...ofApplies, ...stackIds])
  if (locks.size > 0) await lockLocks(tx, [...locks])
  return { stale, formerBase, tellsLocks: holders.length > 0 }
}
