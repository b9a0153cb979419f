import type { FastifyInstance } from 'fastify'
import type { World } from '#emulator/world.ts'
import { type Fields, minutesFrom, secretOf } from './sign-ins.ts'

const tokenSeconds = 28_800
const refreshSeconds = 15_897_600

/**
 * POST /login/oauth/access_token: exchanges a code for a token, once. Errors come with status 200, and every answer is a
 * form unless JSON is requested (GitHub Docs, 'Troubleshooting OAuth app access token request errors').
 */
export const addExchangeRoute = (server: FastifyInstance, world: World): void => {
  server.post<{ Body: Fields | undefined }>('/login/oauth/access_token', async ({ body, headers }, reply) => {
    const answer = exchange(world, body ?? {})
    if (String(headers.accept).includes('application/json')) return answer
    const form = new URLSearchParams(Object.entries(answer).map(([name, value]) => [name, String(value)]))
    return reply.type('application/x-www-form-urlencoded; charset=utf-8').send(form.toString())
  })
}

const exchange = (world: World, asked: Fields): Record<string, string | number> => {
  const { app, signIns } = world
  if (asked.client_id !== app.clientId || asked.client_secret !== app.clientSecret) {
    return error('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.')
  }
  const grant = signIns.grants.get(asked.code ?? '')
  if (!grant || grant.expiresAt <= world.clock()) {
    return error('bad_verification_code', 'The code passed is incorrect or expired.')
  }
  if (asked.redirect_uri !== undefined && asked.redirect_uri !== grant.redirectUri) {
    return error(
      'redirect_uri_mismatch',
      'The redirect_uri MUST match the registered callback URL for this application.',
    )
  }
  signIns.grants.delete(asked.code ?? '')
  const token = secretOf('ghu_')
  signIns.tokens.set(token, { account: grant.account, expiresAt: minutesFrom(world.clock(), tokenSeconds / 60) })
  return {
    access_token: token,
    expires_in: tokenSeconds,
    refresh_token: secretOf('ghr_', 57),
    refresh_token_expires_in: refreshSeconds,
    token_type: 'bearer',
    // a GitHub App's token has the app's permissions, and no scopes whatever was requested
    scope: '',
  }
}

const error = (code: string, description: string): Record<string, string> => ({
  error: code,
  error_description: description,
  error_uri: 'https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/',
})
