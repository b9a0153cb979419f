import { appliedByPlans, hasMergeApply } from '#db/applies.ts'
import { addJobs } from '#db/jobs.ts'
import type { Repository } from '#db/repositories.ts'
import { findPlanView } from '#db/views/plan-view.ts'
import { mergeGivenUpAnswer } from '#domain/command-answers.ts'
import { refusalComment } from '#domain/gate-comment.ts'
import { postCommentJob, reasonOf } from './answer-jobs.ts'
import type { Deps } from './deps.ts'
import { gateAnswer } from './gate-answer.ts'
import { type GateSubject, readGateSubject } from './gate-subject.ts'
import { isMergedIntoDefault } from './merged-into-default.ts'
import { startApply } from './start-apply.ts'

/**
 * Applies what a pull request that was merged into the default branch planned, where the policy says so (apply.mode:
 * on_merge). Once a pull request, however often it is asked for. What stands in the way is told in a comment: nobody will
 * come back to ask. One that was never planned has nothing to apply and hears nothing.
 */
export const applyOnMerge = async (
  deps: Deps,
  repository: Repository,
  prNumber: number,
  cause?: string,
): Promise<void> => {
  if (await hasMergeApply(deps.pool, repository.id, prNumber)) return
  const subject = await readGateSubject(deps, repository, prNumber)
  if (!subject || !isConcerned(subject)) return
  const answer = await startApply(deps, {
    repository,
    prNumber,
    how: 'on_merge',
    requester: subject.pull.mergedBy,
    words: [],
    cause,
    isOpen: async (tx) => !(await hasMergeApply(tx, repository.id, prNumber)),
    onBegun: async () => {},
  })
  if (answer.outcome !== 'refused') return
  const body = refusalComment({ ...gateAnswer(deps, answer.subject, answer.report), merged: true })
  await addJobs(deps.pool, [postCommentJob(repository, { prNumber, name: `merge ${prNumber}`, body }, cause)])
  deps.runtime.wake()
}

/**
 * Merged into the default branch, with stacks to apply or with a plan that never came to an end. An invalid policy may be one
 * that applies on merge: it is not taken for one that does not.
 */
const isConcerned = ({ repository, pull, policy, plan }: GateSubject): boolean => {
  if (!isMergedIntoDefault(repository, pull) || !plan) return false
  if (policy.ok && policy.config.apply.mode !== 'on_merge') return false
  return plan.stacks.length > 0 || plan.status !== 'planned' || plan.sha !== pull.headSha
}

/**
 * Tells a merged pull request that its apply was given up, where any of its stacks waits for one: nobody asked for it by a
 * comment who would miss the answer. It may be that the policy could not be read: then nobody knows whether it was wanted.
 */
export const tellGivenUp = async (
  deps: Deps,
  repository: Repository,
  { prNumber, error, cause }: { prNumber: number; error: unknown; cause?: string | undefined },
): Promise<void> => {
  const plan = await findPlanView(deps.pool, repository.id, prNumber)
  if (!plan || (await hasMergeApply(deps.pool, repository.id, prNumber))) return
  const planRuns = [...new Set(plan.stacks.map((stack) => stack.run_id))]
  const applied = new Set((await appliedByPlans(deps.pool, repository.id, planRuns)).map(({ key }) => key))
  if (plan.stacks.every(({ key, status }) => status === 'noop' || applied.has(key))) return
  const body = mergeGivenUpAnswer(reasonOf(error))
  await addJobs(deps.pool, [postCommentJob(repository, { prNumber, name: `merge ${prNumber} given up`, body }, cause)])
  deps.runtime.wake()
}
