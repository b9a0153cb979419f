import { createPrivateKey, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { trimEndOf } from './domain/texts/trim.ts'
import { compileRefGlob, type RefGlob } from './domain/workflow-ref-glob.ts'
import { type Env, readEnvironment, type Variables } from './environment.ts'

export type Config = {
  /** Without a trailing slash. */
  baseUrl: string
  databaseUrl: string
  /** A replica of it, which lists and the like are read from. */
  databaseReadUrl: string | undefined
  listen: { host: string; port: number }
  /** The app's credentials; without them the service is in setup mode. */
  app: { id: number; privateKey: string; webhookSecret: string } | undefined
  oauth: { clientId: string; clientSecret: string } | undefined
  codehost: { apiUrl: string; webUrl: string }
  oidc: { issuer: string; jwksUrl: string; audience: string; requiredWorkflowRef: RefGlob | undefined }
  /** The prefix without slashes at its ends. If no variable names the region, the AWS SDK finds it. */
  artifacts: { bucket: string; prefix: string; endpoint: string | undefined; region: string | undefined } | undefined
  /** 32 bytes; `generated` if the environment has none, so sessions end with this process. */
  sessionKey: { bytes: Buffer; generated: boolean }
  metricsToken: string | undefined
  /** Where people look at the service's metrics: the web interface links there. */
  dashboardUrl: string | undefined
  /** The proxies in front whose X-Forwarded-For is believed: how many, or their addresses and networks. */
  trustProxy: number | string[] | undefined
  workers: number
  allowResetup: boolean
  log: { level: 'debug' | 'info' | 'warn' | 'error'; format: 'json' | 'text' }
  /** Milliseconds. */
  retention: { planText: number; events: number; drift: number; history: number | undefined }
}

/**
 * Returns the configuration from the environment, or everything that is wrong with it (docs/configuration.md). main.ts passes
 * process.env: nothing else reads it. A problem names its variable and never repeats the value of a secret one.
 */
export const readConfig = (env: Env): { config: Config } | { problems: string[] } => {
  const variables = readEnvironment(env)
  const config = assemble(variables)
  return variables.problems.length === 0 && config ? { config } : { problems: variables.problems }
}

const assemble = (env: Variables): Config | undefined => {
  const baseUrl = env.url('SVC_BASE_URL')
  const databaseUrl = readDatabaseUrl(env, 'DATABASE_URL')
  const codehost = readCodehost(env)
  const config = {
    databaseReadUrl: readDatabaseUrl(env, 'DATABASE_READ_URL'),
    listen: readListen(env),
    app: readApp(env),
    oauth: readOauth(env),
    codehost: { apiUrl: codehost.apiUrl, webUrl: codehost.webUrl },
    oidc: readOidc(env, codehost.issuer, baseUrl ?? ''),
    artifacts: readArtifacts(env),
    sessionKey: readSessionKey(env),
    metricsToken: readMetricsToken(env),
    dashboardUrl: env.link('SVC_DASHBOARD_URL'),
    trustProxy: readTrustProxy(env),
    workers: env.positiveInteger('SVC_WORKERS', 4),
    allowResetup: env.boolean('SVC_ALLOW_RESETUP', false),
    log: {
      level: env.oneOf('SVC_LOG_LEVEL', ['debug', 'info', 'warn', 'error'], 'info'),
      format: env.oneOf('SVC_LOG_FORMAT', ['json', 'text'], 'json'),
    },
    retention: readRetention(env),
  }
  if (!baseUrl) env.missing('SVC_BASE_URL', 'the public address of this service, for example https://svc.example.com')
  if (!databaseUrl) env.missing('DATABASE_URL', 'for example postgres://svc:password@localhost:5432/svc')
  return baseUrl && databaseUrl ? { baseUrl, databaseUrl, ...config } : undefined
}

/** History is kept for good if it is not set, and an archive has what is there: no text longer than texts are kept. */
const readRetention = (env: Variables): Config['retention'] => {
  const name = 'SVC_HISTORY_RETENTION'
  const planText = env.duration('SVC_PLAN_TEXT_RETENTION', '720h')
  const history = env.text(name) === undefined ? undefined : env.duration(name, '8760h')
  if (history !== undefined && env.text('SVC_ARTIFACT_BUCKET') === undefined)
    env.wrong(name, 'needs SVC_ARTIFACT_BUCKET to be set: months that are older are moved there')
  if (history !== undefined && history < planText)
    env.wrong(name, 'must be at least as long as SVC_PLAN_TEXT_RETENTION: what is archived keeps its plan texts')
  return {
    planText,
    events: env.duration('SVC_EVENT_RETENTION', '168h'),
    drift: env.duration('SVC_DRIFT_RETENTION', '2160h'),
    history,
  }
}

const readDatabaseUrl = (env: Variables, name: 'DATABASE_URL' | 'DATABASE_READ_URL'): string | undefined => {
  const text = env.text(name)
  if (text === undefined) return undefined
  const problem = databaseUrlProblem(text)
  return problem === undefined ? text : env.wrong(name, problem)
}

/** What is wrong with a database address; it may hold a password, so it is not repeated. */
export const databaseUrlProblem = (text: string): string | undefined => {
  if (!/^postgres(ql)?:\/\//.test(text)) return 'must be a postgres:// address'
  if (URL.canParse(text)) return undefined
  return 'must be a postgres:// address: in its password / is written %2F, # %23 and ? %3F'
}

/** A scrape sends it in a header, after `Bearer`: a token that does not fit there could never be sent. */
const readMetricsToken = (env: Variables): string | undefined => {
  const text = env.text('SVC_METRICS_TOKEN')
  if (text === undefined || /^[\x21-\x7e]+$/.test(text)) return text
  return env.wrong('SVC_METRICS_TOKEN', 'must be letters, digits and punctuation of ASCII, without spaces')
}

const readTrustProxy = (env: Variables): Config['trustProxy'] => {
  const text = env.text('SVC_TRUST_PROXY')
  if (text === undefined) return undefined
  if (/^[1-9]$/.test(text)) return Number(text)
  const addresses = text.split(',').map((part) => part.trim())
  const wrong = addresses.find((address) => !isNetwork(address))
  if (wrong === undefined) return addresses
  const rule = 'must be the number of proxies, 1 to 9, or addresses and networks such as 10.0.0.0/8,::1'
  return env.wrong('SVC_TRUST_PROXY', `'${wrong}' ${rule}`)
}

/** An IP address, or with the length of a prefix a network. */
const isNetwork = (text: string): boolean => {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  if (prefix === undefined) return bits > 0
  return more.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits
}

/** `:8080`, `127.0.0.1:8080` or `[::1]:8080`; without a host every IPv4 address of the machine. */
const readListen = (env: Variables): Config['listen'] => {
  const text = env.text('SVC_LISTEN') ?? ':8080'
  const [, bracketed, plain, port] = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]/\s]*)):(\d{1,5})$/.exec(text) ?? []
  if (port === undefined || Number(port) > 65_535) {
    env.wrong('SVC_LISTEN', `'${text}' must be host:port or :port, for example :8080`)
  }
  return { host: bracketed || plain || '0.0.0.0', port: Number(port ?? 0) }
}

const readApp = (env: Variables): Config['app'] => {
  const names = ['CODEHOST_APP_ID', 'CODEHOST_APP_PRIVATE_KEY', 'CODEHOST_WEBHOOK_SECRET'] as const
  const [id, key, webhookSecret] = env.allOrNone(names)
  if (id !== undefined && !/^[1-9]\d{0,14}$/.test(id)) env.wrong('CODEHOST_APP_ID', `'${id}' must be the app's number`)
  // not every file of variables takes several lines: the two characters \n mean a line's end
  const privateKey = key?.replaceAll('\\n', '\n')
  if (privateKey !== undefined && !isRsaKey(privateKey))
    env.wrong('CODEHOST_APP_PRIVATE_KEY', 'must be the PEM of an RSA private key')
  if (id === undefined || privateKey === undefined || webhookSecret === undefined) return undefined
  return { id: Number(id), privateKey, webhookSecret }
}

const isRsaKey = (pem: string): boolean => {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

const readOauth = (env: Variables): Config['oauth'] => {
  const [clientId, clientSecret] = env.allOrNone(['CODEHOST_OAUTH_CLIENT_ID', 'CODEHOST_OAUTH_CLIENT_SECRET'])
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret }
}

/**
 * The address of the API alone gives the other addresses of a GitHub Enterprise Server (GitHub Docs, 'Using OpenID Connect on
 * GitHub Enterprise Server': the issuer is https://HOST/_services/token). Otherwise they are those of github.com.
 */
const readCodehost = (env: Variables): Config['codehost'] & { issuer: string } => {
  const apiUrl = env.url('CODEHOST_API_URL') ?? 'https://api.github.com'
  const server = /^(.+)\/api\/v3$/.exec(apiUrl)?.[1]
  const webUrl = env.url('CODEHOST_WEB_URL') ?? server ?? 'https://github.com'
  return {
    apiUrl,
    webUrl,
    issuer: server ? `${server}/_services/token` : 'https://token.actions.githubusercontent.com',
  }
}

const readOidc = (env: Variables, defaultIssuer: string, baseUrl: string): Config['oidc'] => {
  // compared exactly with the tokens' `iss`: not normalised
  env.url('CODEHOST_OIDC_ISSUER')
  const issuer = env.text('CODEHOST_OIDC_ISSUER') ?? defaultIssuer
  return {
    issuer,
    jwksUrl: env.url('CODEHOST_OIDC_JWKS_URL') ?? `${trimEndOf(issuer, '/')}/.well-known/jwks`,
    audience: env.text('SVC_OIDC_AUDIENCE') ?? baseUrl,
    requiredWorkflowRef: readRequiredWorkflowRef(env),
  }
}

const readRequiredWorkflowRef = (env: Variables): RefGlob | undefined => {
  const text = env.text('SVC_REQUIRED_WORKFLOW_REF')
  if (text === undefined) return undefined
  const compiled = compileRefGlob(text)
  return compiled.ok ? compiled : env.wrong('SVC_REQUIRED_WORKFLOW_REF', `'${text}' ${compiled.problem}`)
}

/**
 * The variables that every AWS tool knows, the more specific one first (AWS SDKs and Tools reference, 'Service-specific
 * endpoints'); the AWS client finds the credentials.
 */
const readArtifacts = (env: Variables): Config['artifacts'] => {
  const bucket = env.text('SVC_ARTIFACT_BUCKET')
  const prefix = readArtifactPrefix(env)
  if (bucket === undefined) {
    const isAlone = env.text('SVC_ARTIFACT_PREFIX') !== undefined
    return isAlone ? env.wrong('SVC_ARTIFACT_PREFIX', 'needs SVC_ARTIFACT_BUCKET to be set') : undefined
  }
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/.test(bucket))
    env.wrong('SVC_ARTIFACT_BUCKET', `'${bucket}' must be a bucket's name, not a URL or path`)
  const endpoint = env.url('AWS_ENDPOINT_URL_S3') ?? env.url('AWS_ENDPOINT_URL')
  // a self-hosted store mostly has one region, whatever its name
  const region = env.text('AWS_REGION') ?? env.text('AWS_DEFAULT_REGION') ?? (endpoint && 'us-east-1')
  return { bucket, prefix, endpoint, region }
}

/** Without slashes at its ends; empty if there is none. */
const readArtifactPrefix = (env: Variables): string => {
  const text = env.text('SVC_ARTIFACT_PREFIX') ?? ''
  const parts = text.split('/').filter((part) => part !== '')
  if (!parts.every((part) => /^[\w!.*'()=+:@,-]{1,200}$/.test(part) && !/^\.\.?$/.test(part)) || parts.length > 4)
    env.wrong('SVC_ARTIFACT_PREFIX', `'${text}' must be a short path such as teams/svc`)
  return parts.join('/')
}

const readSessionKey = (env: Variables): Config['sessionKey'] => {
  const text = env.text('SVC_SESSION_KEY')
  if (text === undefined) return { bytes: randomBytes(32), generated: true }
  if (!/^[0-9a-fA-F]{64}$/.test(text)) env.wrong('SVC_SESSION_KEY', 'must be 64 hexadecimal characters (32 bytes)')
  return { bytes: Buffer.from(text, 'hex'), generated: false }
}
