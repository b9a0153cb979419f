import { z } from 'zod'
import { GraphView } from '#api/graph-view.ts'
import { optional } from '#api/optional.ts'
import { PageQuery, pageOf } from '#api/page.ts'
import { RepoSummary } from '#api/repository.ts'
import { Run, RunStatus } from '#api/run.ts'
import { Mode, Uuid } from '#api/scalars.ts'
import { StackDetail } from '#api/stack.ts'
import type { Deps } from '#commands/deps.ts'
import { listRepositories } from '#commands/list-repositories.ts'
import { listRuns } from '#commands/list-runs.ts'
import { listStacks } from '#commands/list-stacks.ts'
import { readGraph } from '#commands/read-graph.ts'
import type { App } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

const config = { callers: ['person', 'key'] } as const

const params = z.object({ owner: z.string(), repo: z.string() })

const RepositoryPage = pageOf(RepoSummary).meta({ id: 'RepositoryPage', description: 'Repositories by full name' })
const RunPage = pageOf(Run).meta({ id: 'RunPage', description: 'Runs without their stacks, newest first' })
const StackPage = pageOf(StackDetail).meta({ id: 'StackPage', description: 'Stacks by key' })

const RunQuery = PageQuery.extend({
  status: optional(RunStatus),
  pr: optional(
    z
      .string()
      .regex(/^0*[1-9][0-9]{0,8}$/, 'must be the number of a pull request')
      .transform(Number),
  ).describe('Number of a pull request'),
  mode: optional(Mode),
})

/** GET /v1/repos and what there is of one of them. */
export const addRepositoryRoutes = (app: App, deps: Deps): void => {
  addRepositoryList(app, deps)
  addRunList(app, deps)
  addStackList(app, deps)
  addGraphView(app, deps)
}

const tags = ['repositories']

const addRepositoryList = (app: App, deps: Deps): void => {
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
    async (request, reply) => reply.send(await listRepositories(deps, readerOf(request), request.query)),
  )
}

const addGraphView = (app: App, deps: Deps): void => {
  app.get(
    '/v1/repos/:owner/:repo/graph',
    {
      config,
      schema: {
        tags,
        summary: 'A recorded graph: without ref and run the default branch’s, before the first merge the newest',
        params,
        querystring: z.object({
          ref: optional(z.string()).describe(
            'A commit id with a recorded graph, or that of its merge into the default branch; at least 7 characters of its beginning; or default',
          ),
          run: optional(Uuid).describe('A run of the repository: its graph, and the stacks that it takes in'),
        }),
        response: { 200: GraphView, ...errorBodies(400, 404) },
      },
    },
    // text already, and out of what was checked when it came in
    async (request, reply) => {
      const text = await readGraph(deps, readerOf(request), request.params, request.query)
      return reply
        .type('application/json; charset=utf-8')
        .serializer(String)
        .send(text as never)
    },
  )
}

const addRunList = (app: App, deps: Deps): void => {
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
      const page = await listRuns(deps, readerOf(request), request.params, { ...asked, prNumber })
      return reply.send(page)
    },
  )
}

const addStackList = (app: App, deps: Deps): void => {
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
      const page = await listStacks(deps, readerOf(request), request.params, request.query)
      return reply.send(page as z.infer<typeof StackPage>)
    },
  )
}
