import { Whoami } from '#api/whoami.ts'
import type { Deps } from '#commands/deps.ts'
import { whoAmI } from '#commands/people/who-am-i.ts'
import type { App } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

/** GET /v1/me. */
export const addMeRoute = (app: App, { pool }: Pick<Deps, 'pool'>): void => {
  app.get(
    '/v1/me',
    {
      config: { callers: ['person', 'key'] },
      schema: { tags: ['people'], summary: 'Who the caller is', response: { 200: Whoami, ...errorBodies() } },
    },
    async (request, reply) => reply.send(await whoAmI(pool, readerOf(request))),
  )
}
