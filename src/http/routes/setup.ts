import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { beginSetup, finishSetup } from '#commands/people/set-up-app.ts'
import { limits } from '#domain/limits.ts'
import { invalid, Problem } from '#errors.ts'
import type { App, ServerDeps } from '../app.ts'
import { clearCookie, readCookie, setCookie } from '../cookies.ts'
import { showProblemsAsPages } from '../pages/problem-page.ts'
import { alreadySetUp, credentials, installed, manifestForm, type SetupPlace } from '../pages/setup-pages.ts'

/** Empty counts as absent: the page's own form sends both fields. */
const text = z
  .string()
  .transform((value) => value.trim() || undefined)
  .optional()

const Asked = z.object({
  org: text.describe('An organisation to own the app; without it, the account of the person who creates the app'),
  name: text.describe('Name of the app, up to 34 characters'),
  force: z.string().optional().describe('1: create another app, if SVC_ALLOW_RESETUP is true'),
})

const config = { callers: ['anyone'] as const }
const tags = ['setup']

/** GET /setup, GET /setup/callback and GET /setup/installed (docs/interface.md, 'Setup'). */
export const addSetupRoutes = (app: App, deps: ServerDeps): void => {
  const { baseUrl, setup, service } = deps
  const { apiUrl, webUrl, allowResetup } = setup
  const place: SetupPlace = { baseUrl, apiUrl, webUrl, selfHosted: apiUrl !== 'https://api.github.com' }
  app.register(async (scope: App) => {
    showProblemsAsPages(scope, () => undefined)
    const route = { config, exposeHeadRoute: false }

    scope.get(
      '/setup',
      { ...route, schema: { tags, summary: 'Create the app at the code host', querystring: Asked } },
      async (request, reply) => {
        const { org, name, force } = request.query
        const forced = force === '1'
        if (service && !forced) return alreadySetUp(reply)
        if (service && !allowResetup) throw absent(request)
        const wanted = { name: nameOf(name, baseUrl), org: orgOf(org), force: forced }
        const state = await beginSetup(deps, browserSecretOf(request, reply, baseUrl))
        return manifestForm(reply, place, { ...wanted, state })
      },
    )

    scope.get(
      '/setup/callback',
      {
        ...route,
        schema: {
          tags,
          summary: 'Where the code host sends people back after creating the app',
          querystring: z.object({ code: z.string().optional(), state: z.string().optional() }),
        },
      },
      async (request, reply) => {
        if (service && !allowResetup) throw absent(request)
        const { code, state } = request.query
        if (!code || !/^[\w-]{1,200}$/.test(code)) throw invalid('code', 'must be the one given by the code host')
        if (!state) throw invalid('state', 'must be the one that this setup began with')
        const browserSecret = readCookie(request, 'svc_setup') ?? ''
        const made = await finishSetup(
          { ...deps, convert: setup.convert },
          { code, state, browserSecret, cause: request.id },
        )
        clearCookie(reply, deps, 'svc_setup', '/setup')
        request.log.info({ app_id: made.id }, 'an app was made: its credentials were shown')
        return credentials(reply, place, made)
      },
    )

    scope.get(
      '/setup/installed',
      { ...route, schema: { tags, summary: 'Where the code host sends people after installing the app' } },
      // anybody can make up an installation_id: the true one comes by webhook and synchronisation
      async (_request, reply) => installed(reply, place),
    )
  })
}

/** The answer for a path that nothing answers. */
const absent = (request: FastifyRequest): Problem =>
  new Problem('not_found', `nothing answers ${request.method} ${request.url.split('?')[0]}`)

const nameOf = (given: string | undefined, baseUrl: string): string => {
  const name = given ?? `svc-${new URL(baseUrl).hostname}`.slice(0, limits.appNameChars)
  if ([...name].length > limits.appNameChars)
    throw invalid('name', `must have at most ${limits.appNameChars} characters`)
  if (/\p{Cc}/u.test(name)) throw invalid('name', 'must not contain control characters')
  return name
}

const orgOf = (given: string | undefined): string | undefined => {
  if (given !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(given)) {
    throw invalid('org', 'must be the name of an organisation: letters, digits and hyphens')
  }
  return given
}

/** A secret that only this browser knows: kept until the end, so a second tab does not break the first. */
const browserSecretOf = (request: FastifyRequest, reply: FastifyReply, baseUrl: string): string => {
  const known = readCookie(request, 'svc_setup')
  const secret = known && /^[\w-]{43}$/.test(known) ? known : randomBytes(32).toString('base64url')
  setCookie(reply, { baseUrl }, { name: 'svc_setup', value: secret, seconds: limits.setupSeconds, below: '/setup' })
  return secret
}
