import { accountBody } from '#emulator/bodies/account.ts'
import { nodeId } from '#emulator/bodies/node-id.ts'
import { noCommit } from '#emulator/git/commits.ts'
import type { BranchPush } from '#emulator/records.ts'
import type { RepositoryCall } from './serving/call.ts'
import { paginate } from './serving/pagination.ts'
import { repositoryRoute } from './serving/route.ts'

const activityBody = ({ world }: RepositoryCall, { id, branch, before, after, actor, at }: BranchPush) => ({
  id,
  node_id: nodeId('PSH', id),
  before: before ?? noCommit,
  after,
  ref: `refs/heads/${branch}`,
  timestamp: at.toISOString(),
  activity_type: before === undefined ? 'branch_creation' : 'push',
  actor: accountBody(world, actor),
})

/** Newest first, of all branches or of the one that `ref` names, by its short or full name. */
const getActivity = (call: RepositoryCall) => {
  const wanted = call.query.ref?.replace(/^refs\/heads\//, '')
  const pushes = call.repository.pushes.filter(({ branch }) => wanted === undefined || branch === wanted)
  return paginate(call, pushes.reverse(), (page) => page.map((push) => activityBody(call, push)))
}

/** GitHub Docs, 'REST API endpoints for repositories', 'List repository activities'. */
export const activityRoutes = [repositoryRoute('GET', '/activity', ['contents', 'read'], getActivity)]
