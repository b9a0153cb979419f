import type { App } from '../app.ts'

/** GET /v1/openapi.json: made once, from the schemas that validate the requests. */
export const addOpenApiRoute = (app: App): void => {
  let document: string | undefined
  const schema = { tags: ['operations'], summary: 'This document' }
  app.get('/v1/openapi.json', { config: { callers: ['anyone'] }, schema }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(document)
  })
}
