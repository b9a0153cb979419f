import { configJsonSchema } from '#domain/config/config-json-schema.ts'
import type { App, ServerDeps } from '../app.ts'

/** Where editors find the schema of svc.yml: the file names the address in its first line. */
const path = '/svc.schema.json'

/** GET /svc.schema.json: made once, since it changes only with the version of the service. */
export const addConfigSchemaRoute = (app: App, { baseUrl }: Pick<ServerDeps, 'baseUrl'>): void => {
  const text = JSON.stringify(configJsonSchema(`${baseUrl}${path}`))
  const schema = { tags: ['operations'], summary: 'The JSON Schema of svc.yml, for editors' }
  app.get(path, { config: { callers: ['anyone'] }, schema }, async (_request, reply) =>
    reply.type('application/schema+json; charset=utf-8').send(text),
  )
}
