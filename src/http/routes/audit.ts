import { AuditEntry } from '#api/audit.ts'
import { PageQuery, pageOf } from '#api/page.ts'
import type { Deps } from '#commands/deps.ts'
import { listAudit } from '#commands/reads/list-audit.ts'
import type { App } from '../app.ts'
import { readerOf } from '../enforce-callers.ts'
import { errorBodies } from '../openapi.ts'

const AuditPage = pageOf(AuditEntry).meta({
  id: 'AuditPage',
  description: 'Entries newest first: fewer than limit, or none, if the caller may not see the others',
})

/** GET /v1/audit. */
export const addAuditRoute = (app: App, deps: Deps): void => {
  app.get(
    '/v1/audit',
    {
      config: { callers: ['person', 'key'] },
      schema: {
        tags: ['audit'],
        summary: 'Who did what',
        querystring: PageQuery,
        response: { 200: AuditPage, ...errorBodies(400) },
      },
    },
    async (request, reply) => reply.send(await listAudit(deps, readerOf(request), request.query)),
  )
}
