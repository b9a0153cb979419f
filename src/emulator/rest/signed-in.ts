import { createPublicKey } from 'node:crypto'
import { accountBody, organizationBody } from '#emulator/bodies/account.ts'
import { appBody } from '#emulator/bodies/app.ts'
import { stamp } from '#emulator/bodies/node-id.ts'
import type { Membership } from '#emulator/people-records.ts'
import type { Account } from '#emulator/records.ts'
import type { World } from '#emulator/world.ts'
import type { Answer, Call } from './serving/call.ts'
import { badCredentials, GitHubError, notFound } from './serving/errors.ts'
import { paginate } from './serving/pagination.ts'
import { type Method, openRoute, type Route } from './serving/route.ts'

/** An operation for a person, by the token that an app got for them. */
const userRoute = (method: Method, path: string, answer: (call: Call, account: Account) => Answer): Route =>
  openRoute(method, path, (call) => {
    const value = /^(?:bearer|token) (\S+)$/i.exec(String(call.headers.authorization ?? ''))?.[1]
    if (value === undefined) throw new GitHubError(401, 'Requires authentication')
    const token = call.world.signIns.tokens.get(value)
    if (!token || token.expiresAt <= call.world.clock()) throw badCredentials()
    return answer(call, token.account)
  })

type Place = { organization: Account; membership: Membership }

/** The organisations that a person's token shows: those that have the app, unless a SAML session is missing for one. */
const placesOf = (world: World, account: Account): Place[] => {
  const { store, signIns } = world
  const hasApp = (organization: Account): boolean =>
    [...store.installations.values()].some((one) => one.account === organization && !one.suspendedAt)
  return [...store.members].flatMap(([organization, members]) => {
    const membership = members.get(account.login.toLowerCase())
    const concealed = signIns.concealed.has(`${account.login} ${organization.login}`.toLowerCase())
    return membership && !concealed && hasApp(organization) ? [{ organization, membership }] : []
  })
}

const userBody = (world: World, account: Account) => ({
  ...accountBody(world, account),
  ...{ name: account.login, company: null, blog: '', location: null, email: null, hireable: null, bio: null },
  ...{ twitter_username: null, public_repos: 0, public_gists: 0, followers: 0, following: 0 },
  created_at: stamp(account.createdAt),
  updated_at: stamp(account.createdAt),
})

const membershipBody = (world: World, account: Account, { organization, membership }: Place) => ({
  url: `${world.urls.api}/user/memberships/orgs/${organization.login}`,
  state: membership.state,
  role: membership.role === 'admin' ? 'admin' : 'member',
  organization_url: `${world.urls.api}/orgs/${organization.login}`,
  organization: organizationBody(world, organization),
  user: accountBody(world, account),
})

/** By the app's id and secret, which only the app knows: so only the app can end a token. */
const endToken = (call: Call): Answer => {
  const { app, signIns } = call.world
  const given = Buffer.from(/^basic (\S+)$/i.exec(String(call.headers.authorization ?? ''))?.[1] ?? '', 'base64')
  const isApp = given.toString() === `${app.clientId}:${app.clientSecret}` && call.params.client_id === app.clientId
  if (!isApp) throw new GitHubError(404, 'Not Found')
  const token = call.body?.access_token
  if (typeof token !== 'string') throw new GitHubError(422, 'Validation Failed')
  if (!signIns.tokens.delete(token)) throw notFound()
  return { status: 204 }
}

/**
 * Returns the credentials of an app that was made from a manifest, once. The emulator knows one app at a time: from here on
 * it is this one.
 */
const convert = ({ world, params }: Call): Answer => {
  const { signIns } = world
  const made = signIns.made.get(params.code ?? '')
  signIns.made.delete(params.code ?? '')
  if (!made || made.expiresAt <= world.clock()) throw notFound()
  const { credentials, owner, permissions, events } = made
  const publicKey = createPublicKey(credentials.privateKey)
  Object.assign(world.app, { ...credentials, owner, permissions, events, publicKey, createdAt: world.clock() })
  signIns.callbackUrls = made.callbackUrls
  if (made.webhookUrl !== '') world.webhooks.setUrl(made.webhookUrl)
  return {
    status: 201,
    body: {
      ...appBody(world),
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
      webhook_secret: made.webhookUrl === '' ? null : credentials.webhookSecret,
      pem: credentials.privateKey,
    },
  }
}

/** GitHub Docs, 'REST API endpoints for users', '… for organizations', '… for OAuth authorizations', '… for GitHub Apps'. */
export const signedInRoutes: Route[] = [
  userRoute('GET', '/user', (call, account) => ({ body: userBody(call.world, account) })),
  userRoute('GET', '/user/orgs', (call, account) => {
    const active = placesOf(call.world, account).filter(({ membership }) => membership.state === 'active')
    return paginate(call, active, (page) => page.map(({ organization }) => organizationBody(call.world, organization)))
  }),
  userRoute('GET', '/user/memberships/orgs', (call, account) => {
    const { state } = call.query
    const wanted = placesOf(call.world, account).filter((place) => !state || place.membership.state === state)
    return paginate(call, wanted, (page) => page.map((place) => membershipBody(call.world, account, place)))
  }),
  openRoute('DELETE', '/applications/{client_id}/token', endToken),
  openRoute('POST', '/app-manifests/{code}/conversions', convert),
]
