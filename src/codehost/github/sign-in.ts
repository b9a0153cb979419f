import type { Octokit } from '@octokit/core'
import { z } from 'zod'
import { Problem } from '#errors.ts'
import type { Account, SignedIn, SignInHost } from '../sign-in.ts'
import { type ClientOptions, createClient } from './client/app.ts'
import { type Calls, createCalls } from './client/calls.ts'

export type GitHubSignInOptions = ClientOptions & {
  clientId: string
  clientSecret: string
  /** GitHub's web address, without a slash at the end. */
  webUrl: string
  /** Ours, as registered with the app. */
  redirectUri: string
}

/*
 * GitHub Docs, 'Generating a user access token for a GitHub App'. A GitHub App's token has no scopes: `read:org` is for
 * operators who configure an OAuth app instead.
 */
const scope = 'read:org'

const Exchange = z.union([
  z.object({ access_token: z.string().min(1) }),
  z.object({ error: z.string(), error_description: z.string().optional() }),
])

const User = z.object({ id: z.number(), login: z.string(), avatar_url: z.string().default('') })
const Organization = z.object({ id: z.number(), login: z.string() })
const Organizations = z.array(Organization)
const Memberships = z.array(z.object({ state: z.string(), role: z.string(), organization: Organization }))

/** Signing in at GitHub or GitHub Enterprise Server. Not paced: people are few, and all they do here is read. */
export const createGitHubSignIn = (options: GitHubSignInOptions): SignInHost => {
  const Client = createClient({ ...options, paced: false })
  return {
    authorizeUrl: (state) => {
      const { clientId: client_id, redirectUri: redirect_uri } = options
      const query = new URLSearchParams({ client_id, redirect_uri, state, scope })
      return `${options.webUrl}/login/oauth/authorize?${query}`
    },
    identify: async (code, cause) => {
      const token = await exchange(options, createCalls({ clientOf: () => new Client() }, cause), code)
      if (token === undefined) return undefined
      try {
        return await readPerson(createCalls({ clientOf: () => authorized(new Client(), `token ${token}`) }, cause))
      } finally {
        await endToken(options, createCalls({ clientOf: () => authorized(new Client(), basic(options)) }, cause), token)
      }
    },
  }
}

const authorized = (client: Octokit, authorization: string): Octokit => {
  client.hook.before('request', (request) => {
    request.headers.authorization = authorization
  })
  return client
}

const basic = ({ clientId, clientSecret }: GitHubSignInOptions): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

/** Errors come with status 200. One is about the code; all others are about this service's configuration. */
const exchange = async (
  { clientId, clientSecret, webUrl, redirectUri }: GitHubSignInOptions,
  calls: Calls,
  code: string,
): Promise<string | undefined> => {
  const answer = await calls.ask(
    {
      act: 'exchanging the code of a sign-in',
      route: `POST ${webUrl}/login/oauth/access_token`,
      from: 'app',
      parameters: { client_id: clientId, client_secret: clientSecret, code, redirect_uri: redirectUri },
      accept: 'application/json',
      once: true,
    },
    Exchange,
  )
  if ('access_token' in answer) return answer.access_token
  if (answer.error === 'bad_verification_code') return undefined
  throw new Problem('unavailable', `github: exchanging the code of a sign-in: ${answer.error}`, {
    cause: new Error(answer.error_description ?? answer.error),
  })
}

/**
 * Each of the two lists may lack entries that are in the other: `/user/orgs` needs a permission, and SAML hides some from
 * both.
 */
const readPerson = async (calls: Calls): Promise<SignedIn> => {
  const user = await calls.ask({ act: 'reading who is signing in', route: 'GET /user', from: 'app' }, User)
  const [listed, memberships] = await Promise.all([
    pagesOf(calls, 'GET /user/orgs', Organizations),
    pagesOf(calls, 'GET /user/memberships/orgs', Memberships, { state: 'active' }),
  ])
  const active = memberships.filter(({ state }) => state === 'active')
  const shown = [...listed, ...active.map(({ organization }) => organization)]
  const organizations = new Map(shown.map((one): [number, Account] => [one.id, one]))
  return {
    ...{ id: user.id, login: user.login, avatarUrl: user.avatar_url, organizations: [...organizations.values()] },
    // GitHub calls an owner's role admin ('List organization memberships for the authenticated user')
    ownerOf: active.filter(({ role }) => role === 'admin').map(({ organization }) => organization.id),
  }
}

const pagesOf = async <T>(
  calls: Calls,
  route: string,
  answer: z.ZodType<T[]>,
  parameters: Record<string, unknown> = {},
): Promise<T[]> => {
  const found: T[] = []
  const call = { act: 'listing the organisations of the person signing in', route, from: 'app', parameters } as const
  try {
    for await (const page of calls.pages(call, answer)) found.push(...page)
  } catch (error) {
    // an app that may not list them: the installations' tokens are used for the rest
    if (error instanceof Problem && error.status === 403) return found
    throw error
  }
  return found
}

/** The token was for these few questions. If it cannot be ended it expires in eight hours, and nobody holds it. */
const endToken = async ({ clientId, log }: GitHubSignInOptions, calls: Calls, token: string): Promise<void> => {
  const call = {
    act: "ending a person's token",
    route: 'DELETE /applications/{client_id}/token',
    from: 'app',
    parameters: { client_id: clientId, access_token: token },
  } as const
  await calls.find(call, z.unknown()).catch((error: unknown) => log.warn({ err: error }, "a person's token stays"))
}
