import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Clock } from '#clock.ts'
import type { ConvertManifest } from '#codehost/manifest.ts'
import type { OidcVerifier } from '#codehost/oidc.ts'
import type { SignInHost } from '#codehost/sign-in.ts'
import type { RequestDeps } from '#commands/deps.ts'
import type { Pool } from '#db/sql.ts'
import type { Log } from '#log.ts'
import type { Metrics } from '#metrics.ts'
import type { BuiltUi } from './ui/built-files.ts'

/** The server as routes see it: the schemas of a request give the types that handlers get. */
export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

/** What the routes of the API and the webhook use. */
export type Service = {
  commands: RequestDeps
  verifyToken: OidcVerifier
  webhookSecret: string
  /** Undefined if sign-in is not configured. */
  signIn: SignInHost | undefined
}

/** What creating the app needs; present in setup mode and outside it. */
export type Setup = { apiUrl: string; webUrl: string; allowResetup: boolean; convert: ConvertManifest }

export type ServerDeps = {
  build: { version: string; commit: string }
  /** Public address without trailing slash. */
  baseUrl: string
  pool: Pool
  /** Requests get children of it, which name the request. */
  log: Log
  clock: Clock
  /** How far this machine's clock is ahead of the database's, if it was measured. */
  clockAheadMs?: () => number
  /** Why the worker cannot read the queue; undefined while it can, and in setup mode. */
  queueTrouble?: () => string | undefined
  metrics: Metrics
  metricsToken: string | undefined
  /** Where people see the metrics, if anywhere. */
  dashboardUrl?: string | undefined
  /** How many proxies are in front, or their addresses: a client's address is what they say. */
  trustProxy?: number | string[] | undefined
  /** Keys the hashes of sessions and signs cookies: a new key ends all sessions. */
  sessionKey: Buffer
  setup: Setup
  /** Undefined in setup mode: no app is configured yet. */
  service: Service | undefined
  /** The web interface; without it the index page says that it was not built. */
  ui?: BuiltUi | undefined
  /** Whether reads may come from a replica: then what callers write is noted. */
  hasReplica?: boolean
  /** How long close() waits for requests in flight; 15 s. */
  drainMs?: number
}
