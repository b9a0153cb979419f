import { optional } from '#api/optional.ts'
import { PageQuery, pageOf } from '#api/page.ts'
import { Run, RunStatus } from '#api/runs/run.ts'
import { Flag, listOf, Mode, PullNumber, RepoName, Text } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { listAllRuns } from '#commands/reads/list-runs.ts'
import { withFilters } from '#commands/shapes/page.ts'
import type { App } from '#http/app.ts'
import { errorBodies } from '#http/openapi.ts'
import { reading } from '#http/reading.ts'

export const RunPage = pageOf(Run).meta({ id: 'RunPage', description: 'Runs without their stacks, newest first' })

const AllRunsQuery = PageQuery.extend({
  repo: optional(RepoName).describe('owner/name; all repositories without it'),
  status: optional(listOf(RunStatus)).describe('One or several, with commas between'),
  open: optional(Flag).describe('true: runs that are not over'),
  mode: optional(listOf(Mode)).describe('One or several, with commas between'),
  pr: optional(PullNumber).describe('With repo, the number of a pull request'),
  actor: optional(Text).describe('Who asked for them: a login, `apikey:` and the name of a key, or `system`'),
})

/** GET /v1/runs. */
export const addRunListRoute = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/runs',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['runs'],
        summary: 'Runs of all repositories that the caller sees',
        querystring: AllRunsQuery,
        response: { 200: RunPage, ...errorBodies(400, 404) },
      },
    },
    async (request, reply) => {
      const { pr: prNumber, ...asked } = request.query
      const page = await reading(deps, request, (from, caller) => listAllRuns(from, caller, { ...asked, prNumber }))
      return reply.send(withFilters(page, request.query))
    },
  )
}
