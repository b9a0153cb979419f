import { accountBody } from '#emulator/bodies/account.ts'
import { reviewBody } from '#emulator/bodies/review.ts'
import { reviewsOf } from '#emulator/people/approvers.ts'
import { permissionOf } from '#emulator/people/permissions.ts'
import { permissionLevels } from '#emulator/permission-level.ts'
import { pullOf } from './pulls.ts'
import type { RepositoryCall } from './serving/call.ts'
import { notFound } from './serving/errors.ts'
import { paginate } from './serving/pagination.ts'
import { repositoryRoute } from './serving/route.ts'

/**
 * The legacy permission, from before there were five roles: roles in between show as the one below, roles above write as
 * write.
 */
const legacy = {
  none: 'none',
  read: 'read',
  triage: 'read',
  write: 'write',
  maintain: 'write',
  admin: 'admin',
} as const

const getPermission = ({ world, repository, params }: RepositoryCall) => {
  const login = params.username ?? ''
  const account = world.store.accounts.get(login.toLowerCase())
  if (!account) throw notFound()
  const level = permissionOf(world, repository, login)
  const reaches = (wanted: typeof level): boolean => permissionLevels.indexOf(level) >= permissionLevels.indexOf(wanted)
  const permissions = {
    pull: reaches('read'),
    triage: reaches('triage'),
    push: reaches('write'),
    maintain: reaches('maintain'),
    admin: reaches('admin'),
  }
  const user = { ...accountBody(world, account), permissions, role_name: level }
  return { body: { permission: legacy[level], role_name: level, user } }
}

/** GitHub Docs, 'REST API endpoints for pull request reviews' and '… for collaborators': the facts that a gate needs. */
export const reviewRoutes = [
  repositoryRoute('GET', '/pulls/{pull_number}/reviews', ['pull_requests', 'read'], (call) =>
    paginate(call, reviewsOf(call.world, pullOf(call)), (page) => page.map((review) => reviewBody(call.world, review))),
  ),
  repositoryRoute('GET', '/collaborators/{username}/permission', ['metadata', 'read'], getPermission),
]
