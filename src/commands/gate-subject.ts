import type { PullRequest } from '#codehost/port.ts'
import { timeOfDatabase } from '#db/pull-requests.ts'
import type { Repository } from '#db/repositories.ts'
import { findPlanView, type PlanView } from '#db/views/plan-view.ts'
import type { ParsedConfig } from '#domain/config-file.ts'
import type { Deps } from './deps.ts'
import { readRepoConfig } from './read-repo-config.ts'
import { repoRefOf } from './repo-ref.ts'

/** A pull request as the gate looks at it: as the code host shows it now, the policy, and its plan as it stands. */
export type GateSubject = {
  repository: Repository
  pull: PullRequest
  /** When the code host was asked, by the database. */
  readAt: Date
  policy: ParsedConfig
  plan: PlanView | undefined
}

/** GitHub computes mergeability when it is asked for, and answers null until then: mostly within a second or two. */
const mergeableAnswers = 5
const mergeablePauseMs = 1000

/** Reads what the gate judges; undefined where there is no such pull request. */
export const readGateSubject = async (
  deps: Deps,
  repository: Repository,
  number: number,
): Promise<GateSubject | undefined> => {
  const { codehost, pool, pause } = deps
  const read = async () => {
    const readAt = await timeOfDatabase(pool)
    return { readAt, pull: await codehost.getPullRequest(repoRefOf(repository), number) }
  }
  const [first, policy] = await Promise.all([read(), readRepoConfig(deps, repository)])
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
