import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { createApp } from '#emulator/app.ts'
import { html, page } from '#emulator/pages/html.ts'
import { accountOf } from '#emulator/store.ts'
import type { World } from '#emulator/world.ts'
import { type Fields, minutesFrom, secretOf } from './sign-ins.ts'

const Url = z.url({ protocol: /^https?$/ })

const Manifest = z.strictObject({
  name: z.string().min(1).max(34).optional(),
  url: Url,
  hook_attributes: z.strictObject({ url: Url, active: z.boolean().optional() }).optional(),
  redirect_url: Url.optional(),
  callback_urls: z.array(Url).max(10).optional(),
  setup_url: Url.optional(),
  description: z.string().optional(),
  public: z.boolean().optional(),
  default_events: z.array(z.string()).optional(),
  default_permissions: z.record(z.string(), z.enum(['read', 'write'])).optional(),
  request_oauth_on_install: z.boolean().optional(),
  setup_on_update: z.boolean().optional(),
})

type Posted = { Params: { org?: string }; Querystring: { state?: string }; Body: Fields | undefined }

/**
 * POST /settings/apps/new and its twin for organisations, to which another site's form sends a manifest (GitHub Docs,
 * 'Registering a GitHub App from a manifest'): the page shows the app to be made, and making it sends the person back.
 */
export const addManifestRoutes = (server: FastifyInstance, world: World): void => {
  for (const path of ['/settings/apps/new', '/organizations/:org/settings/apps/new']) {
    server.post<Posted>(path, async ({ params, query, body }, reply) => {
      const read = readManifest(body?.manifest)
      if (!read.ok) return show(reply, 422, html`<h1>Invalid manifest</h1><p>${read.problem}</p>`)
      const where = params.org === undefined ? 'your account' : params.org
      const action = params.org === undefined ? '/settings/apps' : `/organizations/${params.org}/settings/apps`
      return show(
        reply,
        200,
        html`<h1>Create an app for ${where}</h1><form method="post" action="${action}?state=${encodeURIComponent(query.state ?? '')}">
<input type="hidden" name="manifest" value="${body?.manifest}"><label>Name <input name="name" maxlength="34" required
value="${read.manifest.name ?? ''}"></label> <button>Create GitHub App</button></form>`,
      )
    })
  }
  for (const path of ['/settings/apps', '/organizations/:org/settings/apps']) {
    server.post<Posted>(path, async ({ params, query, body }, reply) => {
      const read = readManifest(body?.manifest)
      if (!read.ok) return show(reply, 422, html`<p>${read.problem}</p>`)
      const code = await make(world, params.org, read.manifest, body?.name ?? read.manifest.name ?? 'app')
      const to = new URL(read.manifest.redirect_url ?? read.manifest.url)
      to.searchParams.set('code', code)
      if (query.state) to.searchParams.set('state', query.state)
      return reply.redirect(to.href, 302)
    })
  }
}

const readManifest = (text: string | undefined) => {
  try {
    const parsed = Manifest.safeParse(JSON.parse(text ?? ''))
    if (parsed.success) return { ok: true as const, manifest: parsed.data }
    return { ok: false as const, problem: z.prettifyError(parsed.error) }
  } catch {
    return { ok: false as const, problem: 'manifest is no JSON' }
  }
}

const make = async (
  world: World,
  org: string | undefined,
  manifest: z.infer<typeof Manifest>,
  name: string,
): Promise<string> => {
  const now = world.clock()
  const owner = org === undefined ? world.app.owner : accountOf(world.store, org, 'Organization', now)
  const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  const { id, clientId, clientSecret, webhookSecret, privateKey } = await createApp(
    { id: world.store.newId(), slug },
    owner,
    now,
  )
  const code = secretOf('', 30)
  world.signIns.made.set(code, {
    credentials: { id, slug, clientId, clientSecret, webhookSecret, privateKey },
    owner,
    permissions: manifest.default_permissions ?? {},
    events: manifest.default_events ?? [],
    webhookUrl: manifest.hook_attributes?.url ?? '',
    callbackUrls: manifest.callback_urls ?? [],
    expiresAt: minutesFrom(now, 60),
  })
  return code
}

const show = (reply: FastifyReply, status: number, body: ReturnType<typeof html>): FastifyReply =>
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    .send(page('GitHub Apps', body))
