import type { Deps } from '#commands/deps.ts'
import { endedUnseen, releaseLocks } from '#commands/unlock-stack.ts'
import { findOpenApply } from '#db/applies.ts'
import { type HeldLock, locksOnStacks } from '#db/locks.ts'
import { lockPullRequest } from '#db/pull-requests.ts'
import type { Reader } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { locksHeldByPullRequest } from '#db/views/lock-view.ts'
import { findPlanView } from '#db/views/plan-view.ts'
import { unlockedAnswer } from '#domain/command-answers.ts'
import { selectKeys } from '#domain/select-keys.ts'
import { unmatchedComment } from '#domain/unmatched-comment.ts'
import { endCommand, isOpen, type TakenCommand } from './command.ts'

/**
 * `svc unlock`: releases what this pull request holds, all of it or the named stacks; never what others hold, whose pull
 * requests are named instead. Closed or in the middle of an apply makes no difference: a lock always has a way out.
 */
export const unlockByCommand = (deps: Deps, command: TakenCommand): Promise<void> =>
  transact(deps.pool, async (tx) => {
    const { repository, prNumber, words, author, cause } = command
    await lockPullRequest(tx, repository.id, prNumber)
    if (!(await isOpen(tx, command))) return
    const held = await locksHeldByPullRequest(tx, repository.id, prNumber)
    const keys = held.map(({ stack_key }) => stack_key)
    const others = await locksOfOthersOn(tx, command)
    const choice = selectKeys(words, [...keys, ...others.map(({ stackKey }) => stackKey)])
    if (choice.unmatched.length > 0) {
      const body = unmatchedComment('unlock', choice.unmatched, keys)
      return endCommand(deps, tx, command, { outcome: 'refused', body })
    }
    const named = new Set(choice.keys)
    const stackIds = held.filter(({ stack_key }) => named.has(stack_key)).map(({ stack_id }) => stack_id)
    const release = {
      actor: author,
      reason: 'svc unlock',
      forceState: 'where unseen',
      askedIn: prNumber,
      cause,
    } as const
    const released = await releaseLocks(deps.runtime, tx, { stackIds, heldBy: prNumber }, release)
    const inFlight = released.length === 0 ? undefined : await findOpenApply(tx, repository.id, prNumber)
    const body = unlockedAnswer({
      released: released.map((lock) => ({
        stackKey: lock.stack_key,
        runId: lock.run_id ?? '',
        takenAt: lock.taken_at?.toISOString(),
        unseen: endedUnseen(lock),
      })),
      others: others.filter(({ stackKey }) => named.has(stackKey)),
      inFlight: inFlight?.runId,
    })
    await endCommand(deps, tx, command, { outcome: 'accepted', body })
  })

/** What stands in the way of this pull request: locks of others on the stacks that it plans. */
const locksOfOthersOn = async (db: Reader, { repository, prNumber }: TakenCommand): Promise<HeldLock[]> => {
  const plan = await findPlanView(db, repository.id, prNumber)
  const keys = plan?.stacks.map(({ key }) => key) ?? []
  return (await locksOnStacks(db, repository.id, keys)).filter((lock) => lock.prNumber !== prNumber)
}
