import Fastify, { type FastifyInstance } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { limits } from '#domain/limits.ts'
import { Problem } from '#errors.ts'
import type { App, ServerDeps } from './app.ts'
import { createAuthenticate } from './authenticate.ts'
import { answerBrokenRequests } from './broken-request.ts'
import { compileValidator } from './compile-validator.ts'
import { enforceCallers, type Proofs } from './enforce-callers.ts'
import { deliveryOf, headersFor, requestIdOf } from './headers.ts'
import { takeJsonBodies } from './json-body.ts'
import { describeApi } from './openapi.ts'
import { problemOf, sendProblem } from './problem.ts'
import { addAuditRoute } from './routes/audit.ts'
import { addCheckRoute } from './routes/check.ts'
import { addGateRoute } from './routes/gate.ts'
import { addGraphRoute } from './routes/graph.ts'
import { addHealthRoutes } from './routes/health.ts'
import { indexPage } from './routes/index-page.ts'
import { addLockRoutes } from './routes/locks.ts'
import { addMachineRoutes } from './routes/machines.ts'
import { addMeRoute } from './routes/me.ts'
import { addMetricsRoute, metricsTokenProof } from './routes/metrics.ts'
import { addModuleRoutes } from './routes/modules.ts'
import { addOpenApiRoute } from './routes/openapi.ts'
import { addOverviewRoute } from './routes/overview.ts'
import { addQueueRoutes } from './routes/queue.ts'
import { addRepositoryRoutes } from './routes/repositories.ts'
import { addRerunRoute } from './routes/rerun.ts'
import { addResultRoute } from './routes/result.ts'
import { addRunRoutes } from './routes/runs.ts'
import { addSetupRoutes } from './routes/setup.ts'
import { addSignInRoutes } from './routes/sign-in.ts'
import { addStackRoutes } from './routes/stacks.ts'
import { addUnlockRoutes } from './routes/unlock.ts'
import { addWebhookRoute, signatureProof } from './routes/webhooks.ts'
import { requireSameOrigin } from './same-origin.ts'
import { createSessionProof } from './session-proof.ts'
import { drainOnClose } from './shutdown.ts'

/** The HTTP side of the service, not yet listening: listen() and close() are the caller's. */
export const buildServer = (deps: ServerDeps): FastifyInstance => {
  const { log } = deps
  const isHttps = new URL(deps.baseUrl).protocol === 'https:'
  const app: App = Fastify({
    logger: false,
    genReqId: requestIdOf,
    bodyLimit: limits.bodyBytes,
    requestTimeout: requestTimeoutMs,
    forceCloseConnections: 'idle',
    // ours are drained, see shutdown.ts; fastify's own 503 has not our body
    return503OnClosing: false,
    routerOptions: { maxParamLength },
    clientErrorHandler: answerBrokenRequests,
    // a request without a host is answered like any other, not by Node with a bare 400
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => {
      reply.headers(headersFor(request.id, isHttps))
      void sendProblem(request, reply, problemOf(error), log)
    },
  })
  // the same for what is expected besides 100-continue: a bare 417 (RFC 9110, 10.1.1: may be ignored)
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(serializerCompiler)
  takeJsonBodies(app)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersFor(request.id, isHttps))
  })
  app.setErrorHandler((error, request, reply) =>
    sendProblem(request, reply, problemOf(error, request.routeOptions.bodyLimit), log),
  )
  countRequests(app, deps)
  drainOnClose(app, deps.drainMs ?? 15_000)
  refuseUnknownPaths(app, deps)
  enforceCallers(app, proofsOf(deps))
  describeApi(app, deps)
  app.register(async (scope: App) => addRoutes(scope, deps))
  return app
}

/** For 8 MB over a slow line; without a limit a client that sends a byte a minute holds its connection for ever. */
const requestTimeoutMs = 120_000

/** Keys of stacks have up to 1,000 characters. */
const maxParamLength = 1024

const addRoutes = (app: App, deps: ServerDeps): void => {
  addHealthRoutes(app, deps)
  addSetupRoutes(app, deps)
  const { service } = deps
  if (!service) return
  addMetricsRoute(app, deps.metrics)
  addOpenApiRoute(app)
  addSignInRoutes(app, deps, service)
  addMeRoute(app, service.commands)
  addWebhookRoute(app, service, deps.metrics)
  addRunRoutes(app, service.commands)
  addGateRoute(app, service.commands)
  addGraphRoute(app, service.commands)
  addResultRoute(app, service.commands)
  addCheckRoute(app, service.commands)
  addRerunRoute(app, service.commands)
  addUnlockRoutes(app, service.commands)
  addLockRoutes(app, service.commands)
  addMachineRoutes(app, service.commands)
  addModuleRoutes(app, service.commands)
  addQueueRoutes(app, service.commands)
  addOverviewRoute(app, service.commands)
  addRepositoryRoutes(app, service.commands)
  addStackRoutes(app, service.commands)
  addAuditRoute(app, service.commands)
}

const proofsOf = (deps: ServerDeps): Proofs => {
  const { service, pool, clock, metricsToken, sessionKey, baseUrl } = deps
  return {
    bearer: service
      ? createAuthenticate({ pool, clock, verifyToken: service.verifyToken })
      : () => Promise.reject(inSetup(deps)),
    session: createSessionProof({ pool, clock, sessionKey }),
    sameOrigin: (request) => requireSameOrigin(request, baseUrl),
    metricsToken: metricsTokenProof(metricsToken),
    signature: service ? signatureProof(service.webhookSecret) : () => Promise.reject(inSetup(deps)),
  }
}

const inSetup = ({ baseUrl }: ServerDeps): Problem =>
  new Problem('unavailable', `the service is in setup mode, without an app of the code host: open ${baseUrl}/setup`)

/** By the pattern of the route, so that the paths that people try make no series of their own. */
const countRequests = (app: App, { metrics, log }: ServerDeps): void => {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.is404 ? undefined : request.routeOptions.url
    const [status, seconds] = [reply.statusCode, reply.elapsedTime / 1000]
    metrics.httpRequest({ route, method: request.method, status, seconds })
    const delivery = deliveryOf(request)
    const fields = { request_id: request.id, delivery, method: request.method, route, status, seconds }
    if (status >= 400) log.info(fields, 'request refused')
    else log.debug(fields, 'request answered')
  })
}

/** Before the body is read: what a POST to nowhere carries is of no interest. */
const refuseUnknownPaths = (app: App, deps: ServerDeps): void => {
  const sendIndex = indexPage(deps)
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    if (!deps.service) throw inSetup(deps)
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    // the whole address, as a client sends it that takes us for a proxy, is routed by its path
    if (isPage && !/^(https?:\/\/[^/?]*)?\/(v1|auth)([/?]|$)/.test(request.url)) return sendIndex(reply)
    throw new Problem('not_found', `nothing answers ${request.method} ${request.url.split('?')[0]}`)
  })
}
