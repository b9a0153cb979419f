import { approversOf } from './people/approvers.ts'
import { permissionOf } from './people/permissions.ts'
import type { PullRequest } from './records.ts'
import type { World } from './world.ts'

const passing = new Set(['success', 'neutral', 'skipped'])

/**
 * GitHub's one word for what keeps a pull request from merging, the gravest first. The words are from GraphQL's
 * MergeStateStatus; REST documents none. A required check by this app keeps it `blocked` until it has passed.
 */
export const mergeableState = (world: World, pull: PullRequest, tips: { merges: boolean; behind: boolean }): string => {
  if (!tips.merges) return 'dirty'
  if (pull.draft) return 'draft'
  const { repository } = pull
  const checks = [...world.store.checkRuns.values()].filter(
    (check) => check.repository === repository && check.headSha === pull.headSha,
  )
  const latest = new Map(checks.map((check) => [check.name, check]))
  const passes = (name: string): boolean => passing.has(latest.get(name)?.conclusion ?? '')
  const wanted = repository.protections.get(pull.baseRef)
  const approvals = approversOf(world, pull).filter(({ login }) =>
    ['write', 'maintain', 'admin'].includes(permissionOf(world, repository, login)),
  )
  if (wanted && (approvals.length < wanted.approvals || !wanted.checks.every(passes))) return 'blocked'
  if (wanted?.upToDate && tips.behind) return 'behind'
  return [...latest.keys()].every(passes) ? 'clean' : 'unstable'
}
