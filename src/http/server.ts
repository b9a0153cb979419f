import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import { limits } from '#domain/limits.ts'
import { Problem } from '#errors.ts'
import type { App, ServerDeps } from './app.ts'
import { createAuthenticate } from './authenticate.ts'
import { takeJsonBodies } from './bodies/json-body.ts'
import { shareBudget } from './bodies/shared-budget.ts'
import { answerBrokenRequests } from './broken-request.ts'
import { compileValidator } from './compile-validator.ts'
import { compressAnswers } from './compression.ts'
import { enforceCallers, type Proofs } from './enforce-callers.ts'
import { tagAnswers } from './entity-tags.ts'
import { deliveryOf, headersFor, requestIdOf } from './headers.ts'
import { describeApi } from './openapi.ts'
import { problemOf, sendProblem } from './problem.ts'
import { noteWrites } from './reading.ts'
import { addAuditRoute } from './routes/audit.ts'
import { addConfigSchemaRoute } from './routes/config-schema.ts'
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
import { addCheckRoute } from './routes/runs/check.ts'
import { addRunConfigRoute } from './routes/runs/config.ts'
import { addDispatchesRoute } from './routes/runs/dispatches.ts'
import { addGateRoutes } from './routes/runs/gate.ts'
import { addRerunRoute } from './routes/runs/rerun.ts'
import { addResultRoute } from './routes/runs/result.ts'
import { addRunListRoute } from './routes/runs/run-list.ts'
import { addRunStackRoutes } from './routes/runs/run-stack.ts'
import { addRunRoutes } from './routes/runs/runs.ts'
import { addTimelineRoute } from './routes/runs/timeline.ts'
import { addSearchRoute } from './routes/search.ts'
import { addSetupRoutes } from './routes/setup.ts'
import { addSignInRoutes } from './routes/sign-in.ts'
import { addStackRoutes } from './routes/stacks.ts'
import { addUnlockRoutes } from './routes/unlock.ts'
import { addWebhookRoute, signatureHeaderProof, signatureProof } from './routes/webhooks.ts'
import { requireSameOrigin } from './same-origin.ts'
import { createSessionProof } from './session-proof.ts'
import { drainOnClose } from './shutdown.ts'
import { addAssetRoute } from './ui/asset-route.ts'
import { indexDocument } from './ui/index-document.ts'

/** The HTTP side of the service, not yet listening: the caller calls listen() and close(). */
export const buildServer = (deps: ServerDeps): App => {
  const isHttps = new URL(deps.baseUrl).protocol === 'https:'
  // by fastify's type: with pino's the server would be no App, whose plugins take any logger
  const loggerInstance: FastifyBaseLogger = deps.log
  const app: App = Fastify({
    loggerInstance,
    // the line of a request is ours, see countRequests: theirs would name addresses, with what is in their queries
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy: trusting(deps.trustProxy),
    genReqId: requestIdOf,
    childLoggerFactory: (log, bindings, options, request) =>
      log.child({ ...bindings, ...deliveryOf(request) }, options),
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestSeconds * 1000,
    forceCloseConnections: 'idle',
    // ours are drained, see shutdown.ts; fastify's own 503 lacks our body
    return503OnClosing: false,
    routerOptions: { maxParamLength },
    clientErrorHandler: answerBrokenRequests,
    // a request without a host gets our answer, not a bare 400 from Node
    http: { requireHostHeader: false },
    frameworkErrors: (error, request, reply) => {
      reply.headers(headersFor(request.id, isHttps))
      void sendProblem(request, reply, problemOf(error))
    },
  })
  // likewise for an expectation other than 100-continue: a bare 417 (RFC 9110, 10.1.1: may be ignored)
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(serializerCompiler)
  shareBudget(app)
  takeJsonBodies(app)
  // hooks without a promise, wherever nothing is waited for: six of them took each request 10 µs and 6 KB
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersFor(request.id, isHttps))
    done()
  })
  app.setErrorHandler((error, request, reply) => {
    // fastify closes the connection of a body that is refused: its client, which still sends, may never see why
    reply.removeHeader('connection')
    return sendProblem(request, reply, problemOf(error, request.routeOptions.bodyLimit))
  })
  tagAnswers(app)
  compressAnswers(app)
  countRequests(app, deps)
  drainOnClose(app, deps.drainMs ?? 15_000)
  refuseUnknownPaths(app, deps)
  enforceCallers(app, proofsOf(deps))
  if (deps.hasReplica) noteWrites(app, deps.pool)
  describeApi(app, deps)
  app.register(async (scope: App) => addRoutes(scope, deps))
  return app
}

/** By number fastify would trust none: whoever reaches us past the proxies could name any address. Our page says so. */
const trusting = (proxies: ServerDeps['trustProxy']): string[] | ((address: string, hop: number) => boolean) =>
  typeof proxies === 'number' ? (_address, hop) => hop < proxies : (proxies ?? [])

/** Keys of stacks have up to 1,000 characters. */
const maxParamLength = 1024

const addRoutes = (app: App, deps: ServerDeps): void => {
  addHealthRoutes(app, deps)
  addSetupRoutes(app, deps)
  const { service } = deps
  if (!service) return
  if (deps.ui) addAssetRoute(app, deps.ui)
  addMetricsRoute(app, deps.metrics)
  addOpenApiRoute(app)
  addConfigSchemaRoute(app, deps)
  addSignInRoutes(app, deps, service)
  addMeRoute(app, deps)
  addWebhookRoute(app, service, deps.metrics)
  addRunListRoute(app, service.commands)
  addSearchRoute(app, service.commands)
  addRunRoutes(app, service.commands)
  addGateRoutes(app, service.commands)
  addRunConfigRoute(app, service.commands)
  addTimelineRoute(app, service.commands)
  addDispatchesRoute(app, service.commands)
  addRunStackRoutes(app, service.commands)
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
    signatureHeader: signatureHeaderProof,
    signature: service ? signatureProof(service.webhookSecret) : () => Promise.reject(inSetup(deps)),
  }
}

const inSetup = ({ baseUrl }: ServerDeps): Problem =>
  new Problem('unavailable', `the service is in setup mode, without an app at the code host: open ${baseUrl}/setup`)

/** By the pattern of the route: paths that people try must not make series of their own. */
const countRequests = (app: App, { metrics }: ServerDeps): void => {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.is404 ? undefined : request.routeOptions.url
    const [status, seconds] = [reply.statusCode, reply.elapsedTime / 1000]
    metrics.httpRequest({ route, method: request.method, status, seconds })
    const fields = { method: request.method, route, status, seconds }
    if (status >= 400) request.log.info(fields, 'request refused')
    else request.log.debug(fields, 'request answered')
    done()
  })
}

/** Before the body is read: the body of a POST to nowhere does not matter. */
const refuseUnknownPaths = (app: App, deps: ServerDeps): void => {
  const sendIndex = deps.ui ? indexDocument(deps.ui, deps.baseUrl) : indexPage(deps)
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    if (!deps.service) throw inSetup(deps)
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    // a client that takes us for a proxy sends the whole address: it is routed by its path
    if (isPage && !/^(https?:\/\/[^/?]*)?\/(v1|auth|assets)([/?]|$)/.test(request.url))
      return void sendIndex(request, reply)
    throw new Problem('not_found', `nothing answers ${request.method} ${request.url.split('?')[0]}`)
  })
}
