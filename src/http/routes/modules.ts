import { z } from 'zod'
import { optional } from '#api/optional.ts'
import { PageQuery, pageOf } from '#api/page.ts'
import { ModuleDetail } from '#api/repositories/module.ts'
import { Text, Uuid } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { listModules, readModule } from '#commands/reads/list-modules.ts'
import { withFilters } from '#commands/shapes/page.ts'
import type { App } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'
import { reading } from '../reading.ts'

const ModulePage = pageOf(ModuleDetail).meta({ id: 'ModulePage', description: 'Modules, by key' })

/** GET /v1/modules and GET /v1/modules/{id}. */
export const addModuleRoutes = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/modules',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['modules'],
        summary: 'Modules and the stacks that use them',
        querystring: PageQuery.extend({
          q: optional(Text).describe('Modules whose key contains this, in any letter case'),
          consumers: optional(z.enum(['none'])).describe('Counts in the place of the stacks that use a module'),
        }),
        response: { 200: ModulePage, ...errorBodies(400) },
      },
    },
    async (request, reply) =>
      reply.send(
        withFilters(
          await reading(deps, request, (from, caller) => listModules(from, caller, request.query)),
          request.query,
        ),
      ),
  )

  app.get(
    '/v1/modules/:id',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['modules'],
        summary: 'A module with its released versions',
        params: z.object({ id: Uuid }),
        response: { 200: ModuleDetail, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => reply.send(await readModule(deps, readerOf(request), request.params.id)),
  )
}
