import { lockFact } from '#commands/apply/lock-fact.ts'
import type { Deps } from '#commands/deps.ts'
import { endedUnseen, releaseLocks } from '#commands/locks/unlock-stack.ts'
import { type HeldLock, locksOnStacks } from '#db/machines/locks.ts'
import { lockPullRequest } from '#db/repositories/pull-requests.ts'
import { findOpenApply } from '#db/runs/applies.ts'
import type { Reader } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { locksHeldByPullRequest } from '#db/views/lock-view.ts'
import { findPlanView, type PlanView } from '#db/views/runs/plan-view.ts'
import { tagsOfStacks } from '#db/views/stack-tags.ts'
import { unlockedAnswer } from '#domain/comments/command-answers.ts'
import { unmatchedComment } from '#domain/comments/unmatched-comment.ts'
import { namesTag, selectKeys } from '#domain/resolution/select-keys.ts'
import { inSteps } from '#portions.ts'
import { endCommand, isOpenCommand, type TakenCommand } from './command.ts'

/**
 * `svc unlock`: releases the locks of this pull request, all or those of the named stacks, and never the locks of others,
 * whose pull requests are named instead. A closed pull request, or one in the middle of an apply, is no exception: a lock
 * always has a way out.
 */
export const unlockByCommand = (deps: Deps, command: TakenCommand): Promise<void> =>
  transact(deps.pool, async (tx) => {
    const { repository, prNumber, words, author, authorId, cause } = command
    await lockPullRequest(tx, repository.id, prNumber)
    if (!(await isOpenCommand(tx, command))) return
    const held = await locksHeldByPullRequest(tx, repository.id, prNumber)
    const plan = await findPlanView(tx, repository.id, prNumber)
    const others = await locksOfOthersOn(tx, command, plan)
    const tags = namesTag(words) ? await tagsOfStacks(tx, repository.id, plan?.graph_id ?? null) : undefined
    // a stack that is planned here exists, locked or not
    const planned = plan?.stacks.map(({ key }) => key) ?? []
    const keys = [...new Set([...held.map(({ stack_key }) => stack_key), ...planned])]
    const choice = await inSteps(selectKeys(words, keys, tags))
    if (choice.unmatched.length > 0) {
      const body = unmatchedComment('unlock', choice.unmatched, keys)
      return endCommand(deps, tx, command, { outcome: 'refused', body })
    }
    const named = new Set(choice.keys)
    const stackIds = held.filter(({ stack_key }) => named.has(stack_key)).map(({ stack_id }) => stack_id)
    const release = {
      actor: author,
      account: authorId,
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
      others: others.filter(({ stack_key }) => named.has(stack_key)).map(lockFact),
      inFlight,
      named: words.length > 0,
    })
    await endCommand(deps, tx, command, { outcome: 'accepted', body })
  })

/** Locks of others on the stacks that this pull request plans. */
const locksOfOthersOn = async (
  db: Reader,
  { repository, prNumber }: TakenCommand,
  plan: PlanView | undefined,
): Promise<HeldLock[]> => {
  const keys = plan?.stacks.map(({ key }) => key) ?? []
  return (await locksOnStacks(db, repository.id, keys)).filter((lock) => lock.pr_number !== prNumber)
}
