import type { PullRequest } from '#codehost/port.ts'
import { readRepoConfig } from '#commands/policy/read-repo-config.ts'
import { runUrl } from '#commands/shapes/shape-run.ts'
import { timeOfDatabase } from '#db/moment.ts'
import type { Repository } from '#db/repositories/repositories.ts'
import { findPlanView, type PlanView } from '#db/views/runs/plan-view.ts'
import type { GateAnswer } from '#domain/comments/gate-comment.ts'
import type { ParsedConfig } from '#domain/config/config-file.ts'
import type { GateReport } from '#domain/gate/evaluate-gate.ts'
import type { Deps } from '../deps.ts'

/** A pull request as the gate sees it: as the code host shows it now, with the policy and its current plan. */
export type GateSubject = {
  repository: Repository
  pull: PullRequest
  /** When the code host was asked, by the database's clock. */
  readAt: Date
  policy: ParsedConfig
  plan: PlanView | undefined
}

/** GitHub computes mergeability on request, and returns null until then: usually for a second or two. */
const mergeableAnswers = 5
const mergeablePauseMs = 1000

/** Reads what the gate judges, by the default branch's policy unless another is to be tried; undefined if there is no such pull request. */
export const readGateSubject = async (
  deps: Deps,
  repository: Repository,
  number: number,
  tried?: ParsedConfig,
): Promise<GateSubject | undefined> => {
  const { codehost, pool, pause } = deps
  const read = async () => {
    const readAt = await timeOfDatabase(pool)
    return { readAt, pull: await codehost.getPullRequest(repository, number) }
  }
  const [first, policy] = await Promise.all([read(), tried ?? readRepoConfig(deps, repository)])
  const matters = policy.ok && policy.config.apply.mergeable
  let last = first
  for (let asked = 1; asked < mergeableAnswers && matters && isOpenUndecided(last.pull); asked += 1) {
    await pause(mergeablePauseMs)
    last = await read()
  }
  const { readAt, pull } = last
  if (!pull) return undefined
  return { repository, pull, readAt, policy, plan: await findPlanView(pool, repository.id, number) }
}

const isOpenUndecided = (pull: PullRequest | undefined): boolean => pull?.state === 'open' && pull.mergeable === null

/** The gate of a pull request as comments show it, with the page of its plan run. */
export const gateAnswer = (
  { baseUrl }: Pick<Deps, 'baseUrl'>,
  { pull, plan }: GateSubject,
  report: GateReport,
): GateAnswer => ({
  report,
  headSha: pull.headSha,
  ...(plan === undefined ? {} : { run: { id: plan.id, html_url: runUrl(baseUrl, plan) } }),
})
