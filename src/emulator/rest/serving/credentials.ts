import { randomBytes } from 'node:crypto'
import { jwtVerify } from 'jose'
import type { Installation, InstallationToken } from '#emulator/records.ts'
import type { World } from '#emulator/world.ts'
import type { Call } from './call.ts'
import { badCredentials, GitHubError } from './errors.ts'
import { countRequest } from './rate-limit.ts'

const bearer = (call: Call): string => {
  const token = /^(?:bearer|token) (\S+)$/i.exec(String(call.headers.authorization ?? ''))?.[1]
  if (token === undefined) throw new GitHubError(401, 'Requires authentication')
  return token
}

/** Accepts only the app's JWT: RS256 by its key, issued by its id or client id, ten minutes long at most. */
export const authenticateApp = async (call: Call): Promise<void> => {
  const { app, clock } = call.world
  const now = clock()
  const { payload } = await jwtVerify(bearer(call), app.publicKey, {
    algorithms: ['RS256'],
    currentDate: now,
    clockTolerance: 60,
    requiredClaims: ['iat', 'exp'],
  }).catch((cause: unknown) => {
    if (cause instanceof Error && cause.message.includes('exp'))
      throw new GitHubError(401, expiry('must be in the future'))
    throw new GitHubError(401, 'A JSON web token could not be decoded')
  })
  // Octokit sends the id as a string, older clients as a number.
  const issuer: unknown = payload.iss
  if (String(issuer) !== String(app.id) && issuer !== app.clientId) throw new GitHubError(401, 'Integration not found')
  if ((payload.exp ?? 0) > now.getTime() / 1000 + 600) throw new GitHubError(401, expiry('is too far in the future'))
}

const expiry = (what: string): string => `'Expiration time' claim ('exp') ${what}`

/** Accepts only a live installation token, and counts the request against the installation's limit. */
export const authenticateInstallation = (call: Call): { installation: Installation; token: InstallationToken } => {
  const { store, clock } = call.world
  const token = store.tokens.get(bearer(call))
  const installation = token && store.installations.get(token.installationId)
  if (!token || !installation || token.expiresAt <= clock()) throw badCredentials()
  if (installation.suspendedAt) throw new GitHubError(403, 'This installation has been suspended')
  call.caller.installationId = installation.id
  countRequest(call.world, installation.id)
  return { installation, token }
}

/**
 * A token for an installation, valid for an hour. As long as GitHub's newer, stateless tokens, so nothing here comes to rely
 * on forty characters.
 */
export const issueToken = (
  world: World,
  installation: Installation,
  scope: Pick<InstallationToken, 'permissions' | 'repositoryIds'>,
): { value: string; token: InstallationToken } => {
  const value = `ghs_${world.app.id}_${randomBytes(180).toString('base64url')}`
  const expiresAt = new Date(world.clock().getTime() + 3_600_000)
  const token: InstallationToken = { installationId: installation.id, expiresAt, ...scope }
  world.store.tokens.set(value, token)
  return { value, token }
}
