import { z } from 'zod'
import { optional } from '#api/optional.ts'
import { PageQuery, pageOf } from '#api/page.ts'
import { CompactGraphView, GraphView } from '#api/repositories/graph-view.ts'
import { RepoSummary } from '#api/repositories/repository.ts'
import { StackDetail } from '#api/repositories/stack.ts'
import { RunStatus } from '#api/runs/run.ts'
import { Mode, PullNumber, Uuid } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { listRepositories } from '#commands/reads/list-repositories.ts'
import { listRuns } from '#commands/reads/list-runs.ts'
import { listStacks } from '#commands/reads/list-stacks.ts'
import { readGraph } from '#commands/reads/read-graph.ts'
import { withFilters } from '#commands/shapes/page.ts'
import type { App } from '../app.ts'
import { errorBodies } from '../openapi.ts'
import { reading } from '../reading.ts'
import { sendAsIs } from '../send-as-is.ts'
import { RunPage } from './runs/run-list.ts'

const config = { callers: ['person', 'key'] } as const

const params = z.object({ owner: z.string(), repo: z.string() })

const RepositoryPage = pageOf(RepoSummary).meta({ id: 'RepositoryPage', description: 'Repositories by full name' })
export const StackPage = pageOf(StackDetail).meta({ id: 'StackPage', description: 'Stacks by key' })

const RunQuery = PageQuery.extend({
  status: optional(RunStatus),
  pr: optional(PullNumber).describe('Number of a pull request'),
  mode: optional(Mode),
})

/** GET /v1/repos, and the routes of one repository. */
export const addRepositoryRoutes = (app: App, deps: RequestDeps): void => {
  addRepositoryList(app, deps)
  addRunList(app, deps)
  addStackList(app, deps)
  addGraphView(app, deps)
}

const tags = ['repositories']

const addRepositoryList = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/repos',
    {
      config,
      schema: {
        tags,
        summary: 'The repositories that the caller sees',
        querystring: PageQuery,
        response: { 200: RepositoryPage, ...errorBodies(400) },
      },
    },
    async (request, reply) =>
      reply.send(await reading(deps, request, (from, caller) => listRepositories(from, caller, request.query))),
  )
}

const addGraphView = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/repos/:owner/:repo/graph',
    {
      config,
      schema: {
        tags,
        summary: 'A recorded graph: without ref and run, the default branch’s; before the first merge, the newest',
        params,
        querystring: z.object({
          ref: optional(z.string()).describe(
            'A commit id with a recorded graph, or the id of its merge into the default branch; at least its first 7 characters; or default',
          ),
          run: optional(Uuid).describe('A run of the repository: its graph, and the stacks of the run'),
          form: optional(z.enum(['compact'])).describe('Each key once and edges as numbers; nothing of the run'),
        }),
        response: { 200: z.union([GraphView, CompactGraphView]), ...errorBodies(400, 404) },
      },
    },
    // already text, made from what was checked when it was uploaded
    async (request, reply) => {
      const text = await reading(deps, request, (from, caller) =>
        readGraph(from, caller, request.params, request.query),
      )
      return sendAsIs(reply.type('application/json; charset=utf-8'), text)
    },
  )
}

const addRunList = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/repos/:owner/:repo/runs',
    {
      config,
      schema: {
        tags,
        summary: 'Runs of a repository',
        params,
        querystring: RunQuery,
        response: { 200: RunPage, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const { pr: prNumber, ...asked } = request.query
      const page = await reading(deps, request, (from, caller) =>
        listRuns(from, caller, request.params, { ...asked, prNumber }),
      )
      return reply.send(withFilters(page, request.query))
    },
  )
}

const addStackList = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/repos/:owner/:repo/stacks',
    {
      config,
      schema: {
        tags,
        summary: 'The stacks of the default branch',
        params,
        querystring: PageQuery,
        response: { 200: StackPage, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const page = await reading(deps, request, (from, caller) =>
        listStacks(from, caller, request.params, request.query),
      )
      return reply.send(page)
    },
  )
}
