import { AuditEntry } from '#api/audit.ts'
import { optional } from '#api/optional.ts'
import { PageQuery, pageOf } from '#api/page.ts'
import { RepoName, Text, Timestamp } from '#api/scalars.ts'
import type { RequestDeps } from '#commands/deps.ts'
import { listAudit } from '#commands/reads/list-audit.ts'
import { withFilters } from '#commands/shapes/page.ts'
import type { App } from '../app.ts'
import { errorBodies } from '../openapi.ts'
import { reading } from '../reading.ts'

const AuditPage = pageOf(AuditEntry).meta({
  id: 'AuditPage',
  description: 'Entries that the caller may see, newest first',
})

const AuditQuery = PageQuery.extend({
  actor: optional(Text).describe('Login of a person, `apikey:` and the name of a key, or `system`'),
  action: optional(Text).describe('Such as unlock or manual_apply'),
  target: optional(Text).describe('The whole target, such as owner/name//key'),
  repo: optional(RepoName).describe(
    'owner/name: entries of the repository and of what is in it, under its former names too',
  ),
  from: optional(Timestamp).describe('Entries from this time on'),
  to: optional(Timestamp).describe('Entries before this time'),
})

/** GET /v1/audit. */
export const addAuditRoute = (app: App, deps: RequestDeps): void => {
  app.get(
    '/v1/audit',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['audit'],
        summary: 'Who did what',
        querystring: AuditQuery,
        response: { 200: AuditPage, ...errorBodies(400) },
      },
    },
    async (request, reply) =>
      reply.send(
        withFilters(
          await reading(deps, request, (from, caller) => listAudit(from, caller, request.query)),
          request.query,
        ),
      ),
  )
}
