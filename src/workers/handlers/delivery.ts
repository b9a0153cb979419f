import type { Fact } from '#codehost/fact.ts'
import { refreshPullRequest } from '#commands/refresh-pull-request.ts'
import { syncInstallations } from '#commands/sync-installations.ts'
import type { Handler, HandlerDeps } from '../handler.ts'

/**
 * Does what follows from a webhook delivery. A delivery is news that something changed, not the truth about it: what it
 * names is read anew from the code host, so that late, doubled and disordered deliveries come to the same.
 */
export const handleDelivery: Handler = async (deps, job) => follow(deps, deps.readDelivery(job.kind, job.payload))

const follow = async (deps: HandlerDeps, fact: Fact): Promise<undefined | 'ignored'> => {
  switch (fact.kind) {
    case 'pull_request':
      return (await refreshPullRequest(deps, fact.repoId, fact.number)) ? undefined : 'ignored'
    case 'installation':
    case 'installation_repositories':
    case 'repository':
      await syncInstallations(deps)
      return undefined
    case 'push':
    case 'ping':
    case 'ignored':
      return 'ignored'
  }
}
