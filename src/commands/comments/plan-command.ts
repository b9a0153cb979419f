import type { PullRequest } from '#codehost/port.ts'
import type { Deps } from '#commands/deps.ts'
import { learnPullRequest } from '#commands/host-news/follow-pull-request.ts'
import { type DefaultConfig, readDefaultConfig } from '#commands/policy/default-config.ts'
import { beginDispatchedPlan } from '#commands/runs/begin-dispatched-plan.ts'
import { plannedStacks } from '#commands/runs/planned-stack.ts'
import { timeOfDatabase } from '#db/moment.ts'
import { findOpenApply } from '#db/runs/applies.ts'
import type { Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { findPlanView, type PlanView } from '#db/views/runs/plan-view.ts'
import { tagsOfStacks } from '#db/views/stack-tags.ts'
import { type ReplanHindrance, replanRefusedAnswer } from '#domain/comments/command-answers.ts'
import { unmatchedComment } from '#domain/comments/unmatched-comment.ts'
import { namesTag, selectKeys } from '#domain/resolution/select-keys.ts'
import { isOpen } from '#domain/run-status.ts'
import { inSteps } from '#portions.ts'
import { answerCommand, type Ending, endCommand, isOpenCommand, type TakenCommand } from './command.ts'

/** `svc plan`: plans the named stacks or all again at the head, in jobs that the service dispatches. */
export const planByCommand = async (deps: Deps, command: TakenCommand): Promise<void> => {
  const { repository, prNumber } = command
  const readAt = await timeOfDatabase(deps.pool)
  const pull = await deps.codehost.getPullRequest(repository, prNumber)
  if (!pull) return
  if (pull.state === 'closed') return answerCommand(deps, command, refused('closed'))
  const policy = await readDefaultConfig(deps, repository)
  await transact(deps.pool, async (tx) => {
    const told = { repository, pull, asOf: readAt, cause: command.cause }
    const { head_sha: headSha, state } = await learnPullRequest(deps, tx, told)
    if (!(await isOpenCommand(tx, command))) return
    await endCommand(deps, tx, command, await replan(deps, tx, command, { pull: { ...pull, headSha, state }, policy }))
  })
}

const refused = (hindrance: ReplanHindrance): Ending => ({ outcome: 'refused', body: replanRefusedAnswer(hindrance) })

const replan = async (
  deps: Deps,
  tx: Tx,
  command: TakenCommand,
  { pull, policy }: { pull: Pick<PullRequest, 'headSha' | 'state' | 'headRepoId'>; policy: DefaultConfig },
): Promise<Ending> => {
  const { repository, prNumber, words, author, cause } = command
  if (pull.state === 'closed') return refused('closed')
  if (pull.headRepoId !== repository.id) return refused('fork')
  const plan = await findPlanView(tx, repository.id, prNumber)
  if (!plan) return refused('missing')
  const hindrance = hindranceOf(plan, pull.headSha)
  if (hindrance) return refused(hindrance)
  if (await findOpenApply(tx, repository.id, prNumber)) return refused('applying')
  const all = plan.stacks.map(({ key }) => key)
  const tags = namesTag(words) ? await tagsOfStacks(tx, repository.id, plan.graph_id) : undefined
  const { keys, unmatched } = await inSteps(selectKeys(words, all, tags))
  if (unmatched.length > 0) return { outcome: 'refused', body: unmatchedComment('plan', unmatched, all) }
  const named = new Set(keys)
  const chosen = plan.stacks.filter(({ key }) => named.has(key))
  await beginDispatchedPlan(deps, tx, {
    repoId: repository.id,
    prNumber,
    sha: plan.sha,
    baseSha: plan.base_sha,
    trigger: 'comment',
    requestedBy: author,
    graphId: plan.graph_id ?? '',
    stacks: await plannedStacks(chosen, policy.config),
    warnings: policy.warnings,
    who: { actor: author, cause },
  })
  return { outcome: 'accepted', rocket: true }
}

/** Why the current plan cannot be made again. A plan that is under way is not doubled: it has the stacks' states locked. */
const hindranceOf = (plan: PlanView, headSha: string): ReplanHindrance | undefined => {
  if (plan.sha !== headSha) return 'older'
  if (isOpen(plan.status)) return plan.graph_id === null ? 'unresolved' : 'planning'
  if (plan.graph_id === null || plan.failure !== null) return 'unresolved'
  if (plan.status === 'superseded') return 'older'
  return plan.stacks.length === 0 ? 'nothing' : undefined
}
