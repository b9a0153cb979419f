import type { FastifyInstance } from 'fastify'
import type { World } from '#emulator/world.ts'
import { addAuthorizeRoutes } from './authorize.ts'
import { addExchangeRoute } from './exchange.ts'
import { addManifestRoutes } from './manifest.ts'
import type { Fields } from './sign-ins.ts'

/** The pages on which people let an app act for them or make one, and the endpoint where an app fetches a person's token. */
export const addSignInRoutes = (server: FastifyInstance, world: World): void => {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, async (request: { headers: object }, text: string) =>
      fieldsOf((request.headers as { 'content-type'?: string })['content-type'] ?? '', text),
    )
    addAuthorizeRoutes(scope, world)
    addExchangeRoute(scope, world)
    addManifestRoutes(scope, world)
  })
}

/** GitHub takes form fields and JSON objects alike; any other body has no fields. */
const fieldsOf = (type: string, text: string): Fields => {
  if (!type.startsWith('application/json')) return Object.fromEntries(new URLSearchParams(text))
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? (body as Fields) : {}
  } catch {
    return {}
  }
}
