import type { z } from 'zod'
import { Lock } from '#api/lock.ts'
import { optional } from '#api/optional.ts'
import { PageQuery, pageOf } from '#api/page.ts'
import { RepoName } from '#api/scalars.ts'
import type { Deps } from '#commands/deps.ts'
import { listLocks } from '#commands/list-locks.ts'
import type { App } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

const LockPage = pageOf(Lock).meta({ id: 'LockPage', description: 'Locks that are held, the longest held first' })

/** GET /v1/locks. */
export const addLockRoutes = (app: App, deps: Deps): void => {
  app.get(
    '/v1/locks',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['locks'],
        summary: 'The locks that are held, and the pull requests that wait for them',
        querystring: PageQuery.extend({ repo: optional(RepoName).describe('owner/name; all repositories without it') }),
        response: { 200: LockPage, ...errorBodies(400, 403, 404) },
      },
    },
    async (request, reply) =>
      reply.send((await listLocks(deps, readerOf(request), request.query)) as z.infer<typeof LockPage>),
  )
}
