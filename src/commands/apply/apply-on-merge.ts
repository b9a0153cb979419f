import { isMergedIntoDefault } from '#commands/host-news/merged-into-default.ts'
import { addJobs } from '#db/queue/jobs.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { appliedByPlans, hasMergeApply } from '#db/runs/applies.ts'
import { findPlanView } from '#db/views/runs/plan-view.ts'
import { leftOutAnswer, mergeGivenUpAnswer, mergeWaitsAnswer } from '#domain/comments/command-answers.ts'
import { refusalComment } from '#domain/comments/gate-comment.ts'
import type { ParsedConfig, RepoConfig } from '#domain/config/config-file.ts'
import { opensLater } from '#domain/gate/windows.ts'
import { reasonOf } from '#errors.ts'
import { makeJob } from '#jobs/job.ts'
import type { Deps } from '../deps.ts'
import { type GateSubject, gateAnswer, readGateSubject } from './gate-subject.ts'
import { readPlanFact } from './plan-fact.ts'
import { rulesInTime } from './rules-in-time.ts'
import { type ApplyAnswer, startApply } from './start-apply.ts'

/**
 * Applies what a pull request planned once it is merged into the default branch, if the policy says so (apply.mode:
 * on_merge). Once per pull request, however often it is asked for. A comment says what prevents the apply: no one will come
 * back to ask. A pull request that was never planned has nothing to apply and gets no comment.
 */
export const applyOnMerge = async (
  deps: Deps,
  repository: Repository,
  prNumber: number,
  cause?: string,
): Promise<void> => {
  if (await hasMergeApply(deps.pool, repository.id, prNumber)) return
  const subject = await readGateSubject(deps, repository, prNumber)
  if (!subject) return
  const { policy, words } = await wordsOnMerge(deps, subject)
  if (!isConcerned({ ...subject, policy }, words)) return
  const answer = await startApply(deps, {
    repository,
    prNumber,
    how: 'on_merge',
    requester: subject.pull.mergedBy,
    words,
    cause,
    isOpen: async (tx) => !(await hasMergeApply(tx, repository.id, prNumber)),
    onBegun: async () => {},
  })
  if (await waitsForWindow(deps, repository, prNumber, answer, cause)) return
  const body = bodyOf(deps, answer)
  if (body === undefined) return
  await answerMerge(deps, repository, { pr_number: prNumber, name: `merge ${prNumber}`, body }, cause)
}

/** Who changes the policy meanwhile does not wait for the end that a window had before. */
const mostMs = 3_600_000

/**
 * A merge cannot be asked for again: where windows alone keep its apply, it is judged again once they open, and a comment says so.
 * False for all else.
 */
const waitsForWindow = async (
  { pool, runtime }: Deps,
  repository: Repository,
  prNumber: number,
  answer: ApplyAnswer,
  cause: string | undefined,
): Promise<boolean> => {
  if (answer.outcome !== 'refused') return false
  const opens = opensLater(answer.report)
  if (opens === undefined) return false
  const { id: repo_id, installation_id: installationId } = repository
  const reasons = answer.report.failures.map(({ reason }) => reason)
  const said = { repo_id, pr_number: prNumber, name: `merge ${prNumber} waits`, body: mergeWaitsAnswer(reasons) }
  const runAt = new Date(Math.min(+opens, +answer.subject.readAt + mostMs))
  await addJobs(pool, [
    makeJob('post_comment', said, { installationId, cause }),
    makeJob('apply_on_merge', { repo_id, pr_number: prNumber }, { cause, runAt }),
  ])
  runtime.wake()
  return true
}

/** A stack that others have to be applied before stays behind, and nobody would know. */
const bodyOf = (deps: Deps, answer: ApplyAnswer): string | undefined => {
  if (answer.outcome === 'refused')
    return refusalComment({ ...gateAnswer(deps, answer.subject, answer.report), merged: true })
  return answer.outcome === 'no_choice' && answer.choice.kind === 'left_out'
    ? leftOutAnswer(answer.choice.leftOut)
    : undefined
}

const hasModes = ({ apply }: RepoConfig): boolean => apply.rules.some(({ mode }) => mode !== undefined)

/** The stacks that are applied by merging, if rules say which; none means all of the plan, as `apply.mode` says. */
const wordsOnMerge = async (
  deps: Deps,
  { policy, plan }: GateSubject,
): Promise<{ policy: ParsedConfig; words: string[] }> => {
  if (!policy.ok || !plan || !hasModes(policy.config)) return { policy, words: [] }
  const found = await rulesInTime({ policy, plan: await readPlanFact(deps, policy, plan) })
  const demands = found.taken?.demands.filter(({ requirements }) => requirements.mode.value === 'on_merge') ?? []
  return { policy: found.policy, words: demands.flatMap(({ stacks }) => stacks).sort() }
}

/**
 * Merged into the default branch, with stacks to apply or with a plan that never finished. An invalid policy may be one that
 * applies on merge, so it is not taken for one that does not.
 */
const isConcerned = ({ repository, pull, policy, plan }: GateSubject, words: readonly string[]): boolean => {
  if (!isMergedIntoDefault(repository, { merged_at: pull.mergedAt, base_ref: pull.baseRef }) || !plan) return false
  if (words.length > 0) return true
  if (policy.ok && policy.config.apply.mode !== 'on_merge') return false
  // every stack has a rule that keeps it from a merge; of a plan without stacks that is not known
  if (policy.ok && hasModes(policy.config) && plan.stacks.length > 0) return false
  return plan.stacks.length > 0 || plan.status !== 'planned' || plan.sha !== pull.headSha
}

/**
 * Comments on a merged pull request that its apply was given up, if any of its stacks waits for one: no comment asked for it,
 * so no one would miss the answer. If the policy could not be read, it is unknown whether an apply was wanted.
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
  await answerMerge(deps, repository, { pr_number: prNumber, name: `merge ${prNumber} given up`, body }, cause)
}

const answerMerge = async (
  { pool, runtime }: Deps,
  { id: repo_id, installation_id: installationId }: Repository,
  answer: { pr_number: number; name: string; body: string },
  cause: string | undefined,
): Promise<void> => {
  await addJobs(pool, [makeJob('post_comment', { repo_id, ...answer }, { installationId, cause })])
  runtime.wake()
}
