import type { AccessLevel, Installation, InstallationToken, Repository } from '#emulator/records.ts'
import { findMovedRepository, findRepository, fullName, sees } from '#emulator/store.ts'
import type { Answer, Call, InstallationCall, OrganizationCall, RepositoryCall } from './call.ts'
import { authenticateApp, authenticateInstallation } from './credentials.ts'
import { GitHubError, notFound } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** One operation of GitHub's REST API, with the path as its documentation writes it. */
export type Route = { method: Method; path: string; answer(call: Call): Promise<Answer> }

type Answering<C> = (call: C) => Answer | Promise<Answer>

/** An operation for anyone, credentials or not. */
export const openRoute = (method: Method, path: string, answer: Answering<Call>): Route => ({
  method,
  path,
  answer: async (call) => answer(call),
})

/** An operation for the app itself, by its JWT. */
export const appRoute = (method: Method, path: string, answer: Answering<Call>): Route => ({
  method,
  path,
  answer: async (call) => {
    await authenticateApp(call)
    return answer(call)
  },
})

/** An operation for an installation, on no particular repository. */
export const installationRoute = (method: Method, path: string, answer: Answering<InstallationCall>): Route => ({
  method,
  path,
  answer: async (call) => answer({ ...call, ...authenticateInstallation(call) }),
})

/** An operation on a repository: `path` follows /repos/{owner}/{repo}; `needs` is the permission it takes. */
export const repositoryRoute = (
  method: Method,
  path: string,
  needs: readonly [permission: string, level: AccessLevel],
  answer: Answering<RepositoryCall>,
): Route => ({
  method,
  path: `/repos/{owner}/{repo}${path}`,
  answer: async (call) => {
    const access = authenticateInstallation(call)
    const repository = findRepository(call.world.store, call.params.owner ?? '', call.params.repo ?? '')
    if (!repository) throw movedOrMissing(call, access)
    if (!visible(access, repository)) throw notFound()
    permit(access.token, needs)
    return answer({ ...call, ...access, repository })
  },
})

/**
 * An operation on the organisation that the app is installed on: `path` follows /orgs/{org}. Other organisations are
 * invisible.
 */
export const organizationRoute = (
  method: Method,
  path: string,
  needs: readonly [permission: string, level: AccessLevel],
  answer: Answering<OrganizationCall>,
): Route => ({
  method,
  path: `/orgs/{org}${path}`,
  answer: async (call) => {
    const access = authenticateInstallation(call)
    const organization = access.installation.account
    const isMeant = organization.login.toLowerCase() === call.params.org?.toLowerCase()
    if (!isMeant || organization.type !== 'Organization') throw notFound()
    permit(access.token, needs)
    return answer({ ...call, ...access, organization })
  },
})

/** GitHub's answer to a name from before a rename: the new address, kept to the same method except for GET. */
const movedOrMissing = (call: Call, access: Access): GitHubError => {
  const { owner = '', repo = '' } = call.params
  const moved = findMovedRepository(call.world.store, owner, repo)
  if (!moved || !visible(access, moved)) return notFound()
  const location = call.url.replace(`/repos/${owner}/${repo}`, `/repos/${fullName(moved)}`)
  const [status, message] = call.method === 'GET' ? [301, 'Moved Permanently'] : [307, 'Temporary Redirect']
  return new GitHubError(Number(status), String(message), undefined, { location })
}

type Access = { installation: Installation; token: InstallationToken }

const visible = (access: Access, repository: Repository): boolean =>
  sees(access.installation, repository) && (access.token.repositoryIds?.has(repository.id) ?? true)

const permit = (token: InstallationToken, [permission, level]: readonly [string, AccessLevel]): void => {
  const granted = token.permissions[permission]
  if (granted === undefined || (level === 'write' && granted === 'read')) {
    throw new GitHubError(403, 'Resource not accessible by integration', undefined, {
      'x-accepted-github-permissions': `${permission}=${level}`,
    })
  }
}
