import swagger from '@fastify/swagger'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { ErrorBody } from '#api/error-body.ts'
import type { App, ServerDeps } from './app.ts'
import type { CallerKind } from './caller-kinds.ts'

type ErrorStatus = 400 | 403 | 404 | 409 | 413 | 423
type Always = 401 | 500 | 503

/** A route's error answers, for the API document; adds those that any route may give. */
export const errorBodies = <S extends ErrorStatus>(...statuses: S[]): Record<S | Always, typeof ErrorBody> =>
  Object.fromEntries([...statuses, 401, 500, 503].map((status) => [status, ErrorBody])) as Record<
    S | Always,
    typeof ErrorBody
  >

/** Makes the OpenAPI document from the schemas that validate the requests; called before the routes are added. */
export const describeApi = (app: App, { build, baseUrl }: Pick<ServerDeps, 'build' | 'baseUrl'>): void => {
  const transform = createJsonSchemaTransform({ zodToJsonConfig })
  const transformObject = createJsonSchemaTransformObject({ zodToJsonConfig })
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'svc', version: build.version, description },
      servers: [{ url: baseUrl }],
      components: { securitySchemes },
    },
    transform: (route) => {
      const { schema, url } = transform(route)
      const security = securityOf(route.route.config?.callers ?? [])
      return { schema: { ...schema, ...(security.length > 0 ? { security } : {}) }, url }
    },
    transformObject: (document) => {
      const made = transformObject(document)
      tidy(made as Document)
      return made
    },
  })
}

const description = `Registers runs over infrastructure stacks, resolves which stacks a change affects and in what order, \
and takes the results. Fields are only ever added: ignore those you do not know. Keys of stacks in paths are \
percent-encoded. Every answer carries X-Request-Id.`

const securitySchemes = {
  runner: { type: 'http', scheme: 'bearer', description: "The CI job's own OIDC token; a new one for every request" },
  session: { type: 'apiKey', in: 'cookie', name: 'svc_session', description: 'A signed-in person' },
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: sk_…' },
  metricsToken: { type: 'http', scheme: 'bearer', description: 'SVC_METRICS_TOKEN, if it is set' },
  signature: { type: 'apiKey', in: 'header', name: 'X-Hub-Signature-256', description: 'HMAC-SHA256 of the raw body' },
} as const

const schemeOf: Partial<Record<CallerKind, keyof typeof securitySchemes>> = {
  runner: 'runner',
  key: 'apiKey',
  person: 'session',
  scraper: 'metricsToken',
  codehost: 'signature',
}

const securityOf = (callers: readonly CallerKind[]): Record<string, string[]>[] =>
  callers.flatMap((kind) => {
    const scheme = schemeOf[kind]
    return scheme ? [{ [scheme]: [] }] : []
  })

/** Answers may get more fields: their schemas must not forbid unnamed ones. */
const zodToJsonConfig = {
  override: ({ jsonSchema }: { jsonSchema: { additionalProperties?: unknown } }) => {
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  },
}

type Document = {
  paths: Record<string, Record<string, { responses?: Record<string, { description?: string }> }>>
  components: { schemas: Record<string, unknown> }
}

/** Adds the meaning of each status, and drops components that nothing refers to (each schema comes in two forms). */
const tidy = (document: Document): void => {
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      response.description = meanings[status] ?? response.description ?? ''
    }
  }
  document.components.schemas = used(document)
}

const used = ({ paths, components }: Document): Record<string, unknown> => {
  const kept = new Set<string>()
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (kept.has(name)) continue
      kept.add(name)
      follow(components.schemas[name] ?? null)
    }
  }
  follow(paths)
  return Object.fromEntries(Object.entries(components.schemas).filter(([name]) => kept.has(name)))
}

const meanings: Record<string, string> = {
  200: 'As asked',
  201: 'Made',
  202: 'Queued',
  204: 'Done',
  302: 'Elsewhere: see Location',
  400: 'invalid: the body or a parameter; details name the field',
  401: 'unauthorized: no usable credentials',
  403: 'forbidden: the credentials are valid but do not permit this',
  404: 'not_found: does not exist or is not visible',
  409: 'conflict with the current state, refused by the apply gate, or superseded by a newer commit',
  413: 'invalid: the body is larger than the route allows',
  423: 'locked: details.conflicts lists the locks',
  500: 'internal: unexpected',
  503: 'unavailable: signing keys, code host or database cannot be reached, or setup mode',
}
