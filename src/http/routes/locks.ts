import { optional } from '#api/optional.ts'
import { PageQuery, pageOf } from '#api/page.ts'
import { HeldState, Lock } from '#api/repositories/lock.ts'
import { PullNumber, RepoName, Text, Uuid } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { listLocks } from '#commands/reads/list-locks.ts'
import { withFilters } from '#commands/shapes/page.ts'
import type { App } from '../app.ts'
import { errorBodies } from '../openapi.ts'
import { reading } from '../reading.ts'

const LockPage = pageOf(Lock).meta({ id: 'LockPage', description: 'Held locks, the longest held first' })

const LockQuery = PageQuery.extend({
  repo: optional(RepoName).describe('owner/name; all repositories without it'),
  stack: optional(Uuid).describe('Id of a stack'),
  q: optional(Text).describe("Is in the stack's key, in any letter case"),
  run: optional(Uuid).describe('Id of a run: locks on its stacks, whoever holds them'),
  pr: optional(PullNumber).describe('With repo, a pull request: locks that it holds, and those that it waits for'),
  state: optional(HeldState),
})

/** GET /v1/locks. */
export const addLockRoutes = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/locks',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['locks'],
        summary: 'The held locks, and the pull requests that wait for them',
        querystring: LockQuery,
        response: { 200: LockPage, ...errorBodies(400, 403, 404) },
      },
    },
    async (request, reply) =>
      reply.send(
        withFilters(
          await reading(deps, request, (from, caller) => listLocks(from, caller, request.query)),
          request.query,
        ),
      ),
  )
}
