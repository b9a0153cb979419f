import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Html, html, page } from '#emulator/pages/html.ts'
import { accountOf } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { minutesFrom, secretOf } from './sign-ins.ts'

type Asked = { client_id?: string; redirect_uri?: string; state?: string; login?: string; scope?: string }

const path = '/login/oauth/authorize'

/**
 * GET and POST /login/oauth/authorize (GitHub Docs, 'Generating a user access token for a GitHub App'). On GitHub a person
 * is signed in; here the page asks who they are.
 */
export const addAuthorizeRoutes = (server: FastifyInstance, world: World): void => {
  server.get<{ Querystring: Asked }>(path, async ({ query }, reply) => {
    const wrong = refusal(world, query)
    return wrong === undefined ? show(reply, 200, 'Authorize', choices(world, query)) : wrong(reply)
  })

  server.post<{ Body: Asked }>(path, async ({ body }, reply) => {
    const wrong = refusal(world, body)
    if (wrong !== undefined) return wrong(reply)
    const { login, redirect_uri } = body
    if (!login) return back(world, reply, body, { error: 'access_denied', ...denied })
    const account = accountOf(world.store, login, 'User', world.clock())
    if (account.type !== 'User') return show(reply, 422, 'Authorize', html`<p>${login} is no person</p>`)
    const code = secretOf('', 15)
    const expiresAt = minutesFrom(world.clock(), 10)
    world.signIns.grants.set(code, { account, redirectUri: redirect_uri, expiresAt })
    return back(world, reply, body, { code })
  })
}

const denied = { error_description: 'The user has denied your application access.' }

/** GitHub shows no form to an unknown app, and never redirects to an address that the app has not registered. */
const refusal = (world: World, asked: Asked) => {
  if (asked.client_id !== world.app.clientId) {
    return (reply: FastifyReply) => show(reply, 404, 'Not found', html`<h1>Not found</h1>`)
  }
  const { callbackUrls } = world.signIns
  if (asked.redirect_uri === undefined || !callbackUrls || callbackUrls.includes(asked.redirect_uri)) return undefined
  const mismatch = {
    error: 'redirect_uri_mismatch',
    error_description: 'The redirect_uri is not associated with this application.',
  }
  return (reply: FastifyReply) => back(world, reply, { ...asked, redirect_uri: callbackUrls[0] ?? '' }, mismatch)
}

const back = (world: World, reply: FastifyReply, asked: Asked, told: Record<string, string>): FastifyReply => {
  const to = new URL(asked.redirect_uri ?? world.signIns.callbackUrls?.[0] ?? world.urls.web)
  for (const [name, value] of Object.entries(told)) to.searchParams.set(name, value)
  if (asked.state !== undefined) to.searchParams.set('state', asked.state)
  return reply.redirect(to.href, 302)
}

const choices = (world: World, asked: Asked): Html => {
  const people = [...world.store.accounts.values()].filter(({ type }) => type === 'User')
  const kept = (['client_id', 'redirect_uri', 'state'] as const).map((name) =>
    asked[name] === undefined ? html`` : html`<input type="hidden" name="${name}" value="${asked[name]}">`,
  )
  return html`<h1>Let ${world.app.slug} act for you?</h1><p>Who are you?</p>
${people.map(({ login }) => form(kept, html`<button name="login" value="${login}">${login}</button>`))}
${form(kept, html`<label>Somebody else <input name="login" required pattern="[A-Za-z0-9\\-]+"></label> <button>Go on</button>`)}
${form(kept, html`<button>Cancel</button>`)}`
}

const form = (kept: Html[], rest: Html): Html => html`<form method="post" action="${path}">${kept}${rest}</form>`

const show = (reply: FastifyReply, status: number, title: string, body: Html): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    .send(page(title, body))
