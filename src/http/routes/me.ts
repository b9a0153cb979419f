import { Whoami } from '#api/whoami.ts'
import { whoAmI } from '#commands/reads/who-am-i.ts'
import type { App, ServerDeps } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

/** GET /v1/me. */
export const addMeRoute = (
  app: App,
  { pool, build, setup, dashboardUrl }: Pick<ServerDeps, 'pool' | 'build' | 'setup' | 'dashboardUrl'>,
): void => {
  const installed = { codehostUrl: setup.webUrl, dashboardUrl, version: build.version }
  app.get(
    '/v1/me',
    {
      config: { callers: ['person', 'key'] },
      schema: { tags: ['people'], summary: 'Who the caller is', response: { 200: Whoami, ...errorBodies() } },
    },
    async (request, reply) => reply.send(await whoAmI(pool, readerOf(request), installed)),
  )
}
