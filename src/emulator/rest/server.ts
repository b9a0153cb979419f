import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { World } from '#emulator/world.ts'
import { routes } from './routes.ts'
import type { Answer, Call } from './serving/call.ts'
import { errorBody, GitHubError, notFound } from './serving/errors.ts'
import { rateLimitHeaders } from './serving/rate-limit.ts'
import type { Route } from './serving/route.ts'

const prefix = '/api/v3'

/** GitHub's REST API: every route of routes.ts, and GitHub's 404 for everything else. */
export const addRestRoutes = (server: FastifyInstance, world: World, latency: number): void => {
  server.register(
    async (api) => {
      acceptJsonOfAnyType(api)
      for (const route of routes) {
        api.route({
          method: route.method,
          url: pattern(route.path),
          handler: async (request, reply) => {
            if (latency > 0) await delay(latency)
            return answerWith(world, request, reply, route.path, route.answer)
          },
        })
      }
      api.setNotFoundHandler((request, reply) =>
        answerWith(world, request, reply, request.url, async () => Promise.reject(notFound())),
      )
      // A failure before a route is reached: a body that is not JSON.
      api.setErrorHandler((error, request, reply) =>
        answerWith(world, request, reply, request.routeOptions.url ?? request.url, async () => Promise.reject(error)),
      )
    },
    { prefix },
  )
}

/** GitHub's template as a fastify pattern. The last parameter of contents and refs may hold slashes. */
const pattern = (path: string): string =>
  path.replace(/\/\{(?:path|ref)\}$/, (last) => (path.includes('/commits/') ? last : '/*')).replace(/\{(\w+)\}/g, ':$1')

/** GitHub reads a body as JSON whatever its content type says. */
const acceptJsonOfAnyType = (api: FastifyInstance): void => {
  api.removeAllContentTypeParsers()
  api.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 25 << 20 }, (_request, text, done) => {
    if (text === '') return done(null, undefined)
    try {
      const body: unknown = JSON.parse(String(text))
      if (typeof body === 'object' && body !== null && !Array.isArray(body)) return done(null, body)
      done(new GitHubError(400, 'Body should be a JSON object'))
    } catch {
      done(new GitHubError(400, 'Problems parsing JSON'))
    }
  })
}

const answerWith = async (
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  answer: Route['answer'],
): Promise<FastifyReply> => {
  const call = callOf(world, request, path)
  const given = await answer(call).catch(answerOfError)
  const { status = 200, body, headers = {} } = given
  const { installationId } = call.caller
  const asked = request.url.split('?', 1)[0] ?? ''
  world.requests.push({
    method: request.method,
    route: path.startsWith(prefix) ? asked.slice(prefix.length) : path,
    path: asked.slice(prefix.length),
    status,
    installationId,
  })
  reply.code(status).headers({
    'x-github-request-id': randomUUID().toUpperCase(),
    'x-github-media-type': 'github.v3; format=json',
    'x-github-api-version-selected': '2022-11-28',
    ...rateLimitHeaders(world, installationId),
    ...headers,
  })
  if (body === undefined) return reply.send()
  if (Buffer.isBuffer(body)) return reply.send(body)
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

const callOf = (world: World, request: FastifyRequest, path: string): Call => {
  const { '*': rest, ...params } = request.params as Record<string, string>
  const wildcard = /\{(\w+)\}$/.exec(path)?.[1]
  return {
    world,
    method: request.method,
    params: rest === undefined || wildcard === undefined ? params : { ...params, [wildcard]: rest },
    query: request.query as Record<string, string>,
    body: request.body as Record<string, unknown> | undefined,
    headers: request.headers,
    url: `${world.urls.web}${request.url}`,
    caller: {},
  }
}

/** Anything but a GitHubError is a bug in the emulator: 500 with the stack, since its users are developers. */
const answerOfError = (error: unknown): Answer => {
  const known =
    error instanceof GitHubError
      ? error
      : new GitHubError(500, `the emulator failed: ${error instanceof Error ? error.stack : String(error)}`)
  return { status: known.status, body: errorBody(known), headers: known.headers }
}
