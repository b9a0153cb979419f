import { mkdir } from 'node:fs/promises'
import Fastify from 'fastify'
import type { CreateActionsEngine } from './actions/contract.ts'
import { type AppCredentials, createApp } from './app.ts'
import { createFaults, type Faults } from './faults/faults.ts'
import { addRequestFaults } from './faults/faulty-requests.ts'
import { createHandles, type Handles } from './handles.ts'
import { createIssuer } from './oidc/issuer.ts'
import { addOidcRoutes } from './oidc/routes.ts'
import { addPages } from './pages/pages.ts'
import { addRestRoutes } from './rest/server.ts'
import { addSignInRoutes } from './sign-in/routes.ts'
import { createSignIns } from './sign-in/sign-ins.ts'
import { accountOf, createStore } from './store.ts'
import { emitPing } from './webhooks/events.ts'
import { createWebhooks } from './webhooks/webhooks.ts'
import { createRunnerHost, type RunnerOptions } from './workflows/runner-host.ts'
import { type LoggedRequest, urlsAt, type World } from './world.ts'

export type EmulatorOptions = {
  /** Git repositories and runners' directories are made here; the caller removes it. */
  dataDir: string
  /** 0 or none: any free port, on the loopback interface. */
  port?: number
  /** Missing fields are made up. */
  app?: Partial<AppCredentials> & { webhookUrl?: string; callbackUrls?: string[] }
  /** The time of tokens, stamps and rate limits; it does not affect the machine's timers. */
  clock?: () => Date
  /** Runs workflows; without it none starts by itself. */
  actions?: CreateActionsEngine
  runner?: RunnerOptions
  /** Delay in milliseconds of each REST answer and each webhook delivery. */
  latency?: { rest?: number; webhooks?: number }
  /** Requests an hour for each installation: 5000, as on GitHub. */
  rateLimit?: number
  /** How often GitHub answers that it does not know yet whether a changed pull request merges: 0. */
  unknownMergeableAnswers?: number
}

export type Emulator = Handles & {
  /** Base of the REST API. */
  url: string
  /** The base of all html_urls. */
  webUrl: string
  /** `iss` of the tokens of Actions' jobs. */
  issuer: string
  app: AppCredentials
  /** Sets the address of webhooks from now on; GitHub sends a ping first. */
  setWebhookUrl(url: string): void
  /** Any claims, signed by the issuer; jti, iss, iat, nbf and exp are filled in unless given. */
  mintToken(claims: Record<string, unknown>): Promise<string>
  /** The issuer signs with a new key; the old one stays published. */
  rotateKeys(): Promise<void>
  /** Makes things go wrong, on demand. */
  faults: Faults
  /** Every REST request that was carried out, in order; requests refused by a fault are left out. */
  requests: readonly LoggedRequest[]
  deliveriesSettled(): Promise<void>
  /** Resolves once no workflow runs, including those that begin meanwhile. */
  actionsSettled(): Promise<void>
  close(): Promise<void>
}

/** A GitHub in this process, over real HTTP: REST, a GitHub App, webhooks, Actions with its OIDC issuer, and git on disk. */
export const startEmulator = async (options: EmulatorOptions): Promise<Emulator> => {
  await mkdir(options.dataDir, { recursive: true })
  const world = await createWorld(options)
  const server = Fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 4096 } })
  addRequestFaults(server, world.faults, world.clock)
  addOidcRoutes(server, world)
  addSignInRoutes(server, world)
  addRestRoutes(server, world, options.latency?.rest ?? 0)
  addPages(server, world)
  const address = await server.listen({ host: '127.0.0.1', port: options.port ?? 0 })
  Object.assign(world.urls, urlsAt(address))
  world.actions.engine = options.actions?.(createRunnerHost(world, options.runner ?? {}))
  if (options.app?.webhookUrl !== undefined) emitPing(world, options.app.webhookUrl)

  const { id, slug, clientId, clientSecret, webhookSecret, privateKey } = world.app
  return {
    ...createHandles(world),
    url: world.urls.api,
    webUrl: world.urls.web,
    issuer: world.urls.issuer,
    app: { id, slug, clientId, clientSecret, webhookSecret, privateKey },
    setWebhookUrl: (url) => {
      world.webhooks.setUrl(url)
      emitPing(world, url)
    },
    mintToken: (claims) => world.issuer.mint(claims),
    rotateKeys: () => world.issuer.rotate(),
    faults: { add: world.faults.add },
    requests: world.requests,
    deliveriesSettled: () => world.webhooks.settled(),
    actionsSettled: () => actionsSettled(world),
    close: async () => {
      await world.actions.engine?.close()
      await world.webhooks.close()
      await server.close()
    },
  }
}

const createWorld = async (options: EmulatorOptions): Promise<World> => {
  const clock = options.clock ?? (() => new Date())
  const store = createStore()
  // The port is known only once the server listens; nothing reads an address before.
  const urls = urlsAt('http://127.0.0.1:0')
  const owner = accountOf(store, 'svc-dev', 'Organization', clock())
  const [app, issuer] = await Promise.all([
    createApp(options.app ?? {}, owner, clock()),
    createIssuer(() => urls.issuer, clock),
  ])
  const latency = options.latency?.webhooks ?? 0
  const faults = createFaults()
  return {
    clock,
    urls,
    app,
    store,
    issuer,
    webhooks: createWebhooks({ app, store, clock, url: options.app?.webhookUrl, latency, faults }),
    actions: { engine: undefined, running: new Map() },
    approvals: new Map(),
    signIns: createSignIns(options.app?.callbackUrls),
    faults,
    requests: [],
    dataDir: options.dataDir,
    rateLimit: options.rateLimit ?? 5000,
    unknownMergeableAnswers: options.unknownMergeableAnswers ?? 0,
  }
}

const actionsSettled = async ({ actions }: World): Promise<void> => {
  while (actions.running.size > 0) {
    await Promise.all([...actions.running.values()].map((run) => run.done))
    // Runs remove themselves from the list in a later turn than their end.
    await new Promise(setImmediate)
  }
}
