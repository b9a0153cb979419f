import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { signIn } from '#commands/people/sign-in.ts'
import { removeSession } from '#db/people/sessions.ts'
import { limits } from '#domain/limits.ts'
import { invalid } from '#errors.ts'
import type { App, ServerDeps, Service } from '../app.ts'
import { parseOptionalJson, takeJsonBodies } from '../bodies/json-body.ts'
import { clearCookie, readCookie, sealed, setCookie, unsealed } from '../cookies.ts'
import { personOf } from '../enforce-callers.ts'
import { nextPath } from '../next-path.ts'
import { errorBodies } from '../openapi.ts'
import { html } from '../pages/html.ts'
import { showProblemsAsPages } from '../pages/problem-page.ts'
import { appMissing, signInMissing } from '../pages/sign-in-pages.ts'
import { sameSecret } from '../same-secret.ts'

type SignInRouteDeps = Pick<ServerDeps, 'baseUrl' | 'sessionKey' | 'clock' | 'pool'>

/** The content of the signed cookie: where to go next, and the state that proves that this browser began. */
const Begun = z.object({ state: z.string(), next: z.string() })

/** The sign-in that the browser of a request began last, if it still may be finished. */
const begunIn = (request: FastifyRequest, { sessionKey, clock }: SignInRouteDeps): z.infer<typeof Begun> | undefined =>
  Begun.safeParse(unsealed(sessionKey, 'svc_sign_in', readCookie(request, 'svc_sign_in'), clock.now())).data

/** HTML, for people. */
const page = z.string()

const anyone = { callers: ['anyone'] as const }

/** GET /auth/login, GET /auth/callback and POST /auth/logout (docs/interface.md, 'Sign-in'). */
export const addSignInRoutes = (app: App, deps: SignInRouteDeps, service: Service): void => {
  const login = `${new URL(deps.baseUrl).pathname.replace(/\/$/, '')}/auth/login`
  app.register(async (scope: App) => {
    showProblemsAsPages(scope, (request) => {
      const next = begunIn(request, deps)?.next
      const again = next === undefined ? login : `${login}?next=${encodeURIComponent(next)}`
      return html`<p><a class="button" href="${again}">Sign in again</a></p>`
    })
    addLogin(scope, deps, service)
    addCallback(scope, deps, service)
  })
  app.register(async (scope: App) => {
    takeJsonBodies(scope, parseOptionalJson)
    addLogout(scope, deps)
  })
}

const addLogin = (scope: App, deps: SignInRouteDeps, { signIn: host }: Service): void => {
  const { baseUrl, clock, sessionKey } = deps
  scope.get(
    '/auth/login',
    {
      config: anyone,
      exposeHeadRoute: false,
      schema: {
        tags: ['people'],
        summary: 'Sign in at the code host',
        querystring: z.object({
          next: z.unknown().optional().describe('Path on this service to come back to; `/` if absent or invalid'),
        }),
        response: { 302: z.null(), 503: page },
      },
    },
    async (request, reply) => {
      if (!host) return signInMissing(reply)
      const state = randomBytes(24).toString('base64url')
      const begun = { state, next: nextPath(request.query.next, baseUrl) }
      const until = new Date(clock.now().getTime() + limits.signInSeconds * 1000)
      const value = sealed(sessionKey, 'svc_sign_in', begun, until)
      setCookie(reply, deps, { name: 'svc_sign_in', value, seconds: limits.signInSeconds, below: '/auth' })
      return reply.redirect(host.authorizeUrl(state), 302)
    },
  )
}

const addCallback = (scope: App, deps: SignInRouteDeps, service: Service): void => {
  const { baseUrl, sessionKey } = deps
  scope.get(
    '/auth/callback',
    {
      config: anyone,
      exposeHeadRoute: false,
      schema: {
        tags: ['people'],
        summary: 'Where the code host sends people back after sign-in',
        querystring: z.object({
          code: z.string().optional(),
          state: z.string().optional(),
          error: z.string().optional(),
        }),
        response: { 302: z.null(), 403: page, ...errorBodies(400) },
      },
    },
    async (request, reply) => {
      if (!service.signIn) return signInMissing(reply)
      const { code, state, error } = request.query
      const begun = begunIn(request, deps)
      if (!begun || state === undefined || !sameSecret(state, begun.state)) {
        throw invalid('state', 'belongs to no sign-in that this browser began in the last ten minutes: sign in again')
      }
      clearCookie(reply, deps, 'svc_sign_in', '/auth')
      // the code host's text is not repeated: anybody can write it into an address
      if (error !== undefined) throw invalid('error', 'sign-in was refused, by the code host or by you')
      if (!code) throw invalid('code', 'is missing: sign in again')
      const formerToken = readCookie(request, 'svc_session')
      const signInDeps = { ...service.commands, signIn: service.signIn, sessionKey }
      const token = await signIn(signInDeps, { code, formerToken, cause: request.id })
      if (token === undefined) return appMissing(reply)
      setCookie(reply, deps, { name: 'svc_session', value: token, seconds: limits.sessionSeconds })
      return reply.redirect(`${baseUrl}${begun.next}`, 302)
    },
  )
}

const addLogout = (scope: App, deps: SignInRouteDeps): void => {
  scope.post(
    '/auth/logout',
    {
      config: { callers: ['person'] },
      schema: {
        tags: ['people'],
        summary: 'End the session',
        response: { 204: z.null(), ...errorBodies(400, 403, 413) },
      },
    },
    async (request, reply) => {
      await removeSession(deps.pool, personOf(request).sessionHash)
      return clearCookie(reply, deps, 'svc_session').code(204).send()
    },
  )
}
