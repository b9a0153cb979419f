import { accountBody, organizationBody } from '#emulator/bodies/account.ts'
import { pullBody } from '#emulator/bodies/pull-request.ts'
import { repositoryBody } from '#emulator/bodies/repository.ts'
import type { PullRequestFacts } from '#emulator/pull-request-facts.ts'
import type { Account, PullRequest, Repository } from '#emulator/records.ts'
import type { World } from '#emulator/world.ts'

export type PullRequestChange = {
  action: string
  facts: PullRequestFacts
  sender: Account
  /** Fields that this action adds, such as before and after. */
  more?: Record<string, unknown>
}

/** The fields of every repository event, without the installation. */
export const sharedFields = (world: World, repository: Repository, sender: Account): Record<string, unknown> => ({
  repository: repositoryBody(world, repository),
  ...(repository.owner.type === 'Organization' ? { organization: organizationBody(world, repository.owner) } : {}),
  sender: accountBody(world, sender),
})

/**
 * A pull request's event as its workflows get it (github.event); the webhook adds the installation. In both, mergeability is
 * always not known yet: it is computed after them.
 */
export const pullRequestPayload = (world: World, pull: PullRequest, change: PullRequestChange) => {
  const facts = { ...change.facts, mergeable: null, mergeableState: 'unknown', testMergeSha: null }
  return {
    action: change.action,
    number: pull.number,
    pull_request: pullBody(world, pull, facts),
    ...change.more,
    ...sharedFields(world, pull.repository, change.sender),
  }
}
