import type { PullRequest } from '#codehost/port.ts'
import { beginReplan } from '#commands/begin-replan.ts'
import type { Deps } from '#commands/deps.ts'
import { plannedStack } from '#commands/planned-stack.ts'
import { repoRefOf } from '#commands/repo-ref.ts'
import { findOpenApply } from '#db/applies.ts'
import { putPullRequest, timeOfDatabase } from '#db/pull-requests.ts'
import type { Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { findPlanView, type PlanView } from '#db/views/plan-view.ts'
import { type ReplanHindrance, replanRefusedAnswer } from '#domain/command-answers.ts'
import { selectKeys } from '#domain/select-keys.ts'
import { unmatchedComment } from '#domain/unmatched-comment.ts'
import { answerCommand, type Ending, endCommand, isOpen, type TakenCommand } from './command.ts'

/** `svc plan`: the named stacks or all are planned again at the head, in jobs that the service dispatches. */
export const planByCommand = async (deps: Deps, command: TakenCommand): Promise<void> => {
  const { repository, prNumber } = command
  const readAt = await timeOfDatabase(deps.pool)
  const pull = await deps.codehost.getPullRequest(repoRefOf(repository), prNumber)
  if (!pull) return
  // what a closing brings about is drawn where it is recorded, not here
  if (pull.state === 'closed') return answerCommand(deps, command, refused('closed'))
  await transact(deps.pool, async (tx) => {
    const { headSha, state } = await putPullRequest(tx, { ...pull, repoId: repository.id }, readAt)
    if (!(await isOpen(tx, command))) return
    await endCommand(deps, tx, command, await replan(deps, tx, command, { ...pull, headSha, state }))
  })
}

const refused = (hindrance: ReplanHindrance): Ending => ({ outcome: 'refused', body: replanRefusedAnswer(hindrance) })

const replan = async (
  deps: Deps,
  tx: Tx,
  command: TakenCommand,
  pull: Pick<PullRequest, 'headSha' | 'state' | 'headRepoId'>,
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
  const { keys, unmatched } = selectKeys(words, all)
  if (unmatched.length > 0) return { outcome: 'refused', body: unmatchedComment('plan', unmatched, all) }
  const named = new Set(keys)
  await beginReplan(deps, tx, {
    repoId: repository.id,
    prNumber,
    sha: plan.sha,
    baseSha: plan.base_sha,
    trigger: 'comment',
    requestedBy: author,
    graphId: plan.graph_id ?? '',
    stacks: plan.stacks.filter(({ key }) => named.has(key)).map(plannedStack),
    who: { actor: author, cause },
  })
  return { outcome: 'accepted', rocket: true }
}

/** Why the plan as it stands cannot be made again. One that is under way is not doubled: the stacks' states are locked by it. */
const hindranceOf = (plan: PlanView, headSha: string): ReplanHindrance | undefined => {
  if (plan.sha !== headSha) return 'older'
  if (plan.status === 'pending' || plan.status === 'planning') return plan.graph_id === null ? 'unresolved' : 'planning'
  if (plan.graph_id === null || plan.failure !== null) return 'unresolved'
  if (plan.status === 'superseded') return 'older'
  return plan.stacks.length === 0 ? 'nothing' : undefined
}
