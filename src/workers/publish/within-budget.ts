import type { Clock } from '#clock.ts'
import type { CodeHost } from '#codehost/port.ts'
import { RetryAfter } from '#codehost/retry-after.ts'
import { takeWrite, writesOf } from '#db/queue/content-writes.ts'
import type { Pool } from '#db/sql.ts'
import { isAggregate } from '#domain/checks/check-run-order.ts'
import { budgetOf, hasRoom, type Share, type Spent, secondsUntilRoom } from '#domain/content-budget.ts'

/** Our own limit, not the code host's: nothing was sent, and calls with a larger share may still write. */
export class BudgetSpent extends RetryAfter {}

/**
 * A code host that is never written to more often than an installation may. If nothing is left, the call throws `BudgetSpent`
 * before anything is sent, and the queue puts the job off without counting an attempt.
 *
 * Check runs, comments, issues, reactions and dispatches count, and changes to them as much as new ones. GitHub limits
 * content-generating requests without listing them: wrongly counting one costs a minute, wrongly not counting one gets the
 * whole installation refused for a while. Reads cost nothing here: they have their own limit.
 */
export const withinBudget = (codehost: CodeHost, deps: { pool: Pool; clock: Clock }): CodeHost => {
  const take = async (installationId: number, share: Share): Promise<void> => {
    const at = deps.clock.now()
    const budget = budgetOf(share)
    const { taken, spent } = await takeWrite(deps.pool, { installationId, at, budget })
    if (!taken) throw budgetSpent(spent, at, share)
  }
  const shareOf = (check: { name: string }): Share => (isAggregate(check.name) ? 'whole' : 'stack')
  return {
    ...codehost,
    throwIfNoRoomForStacks: async ({ installation_id: installationId }) => {
      const at = deps.clock.now()
      const spent = await writesOf(deps.pool, { installationId, at })
      if (!hasRoom(spent, at, budgetOf('stack'))) throw budgetSpent(spent, at, 'stack')
    },
    causedBy: (id) => withinBudget(codehost.causedBy(id), deps),
    createCheckRun: async (repo, check) => {
      await take(repo.installation_id, shareOf(check))
      return codehost.createCheckRun(repo, check)
    },
    updateCheckRun: async (repo, id, check) => {
      await take(repo.installation_id, shareOf(check))
      return codehost.updateCheckRun(repo, id, check)
    },
    createComment: async (repo, number, body) => {
      await take(repo.installation_id, 'whole')
      return codehost.createComment(repo, number, body)
    },
    updateComment: async (repo, id, body) => {
      await take(repo.installation_id, 'whole')
      return codehost.updateComment(repo, id, body)
    },
    createIssue: async (repo, issue) => {
      await take(repo.installation_id, 'stack')
      return codehost.createIssue(repo, issue)
    },
    updateIssue: async (repo, number, issue) => {
      await take(repo.installation_id, 'stack')
      return codehost.updateIssue(repo, number, issue)
    },
    addReaction: async (repo, commentId, reaction) => {
      await take(repo.installation_id, 'whole')
      return codehost.addReaction(repo, commentId, reaction)
    },
    dispatchWorkflow: async (repo, dispatch) => {
      // when hundreds of repositories are checked for drift, an apply must not wait an hour for them
      await take(repo.installation_id, dispatch.inputs.mode === 'drift' ? 'stack' : 'dispatch')
      return codehost.dispatchWorkflow(repo, dispatch)
    },
  }
}

const budgetSpent = (spent: Spent, at: Date, share: Share): BudgetSpent =>
  new BudgetSpent('the budget of writes to the code host is used up', secondsUntilRoom(spent, at, budgetOf(share)))
