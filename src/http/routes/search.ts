import { z } from 'zod'
import { Text } from '#api/scalars.ts'
import { SearchResult } from '#api/search.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { search } from '#commands/reads/search.ts'
import { limits } from '#domain/limits.ts'
import type { App } from '../app.ts'
import { errorBodies } from '../openapi.ts'
import { reading } from '../reading.ts'

const Query = z.object({
  q: Text.max(limits.searchChars, `must have at most ${limits.searchChars} characters`).describe(
    'Words that must all be there, in any letter case',
  ),
})

/** GET /v1/search. */
export const addSearchRoute = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/search',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['search'],
        summary: 'Stacks, runs, pull requests, modules and repositories by name',
        querystring: Query,
        response: { 200: SearchResult, ...errorBodies(400) },
      },
    },
    async (request, reply) =>
      reply.send(await reading(deps, request, (from, caller) => search(from, caller, request.query.q))),
  )
}
