import { generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { type Config, readConfig } from '#config.ts'

const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })
const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })

const required = { SVC_BASE_URL: 'https://svc.example.com', DATABASE_URL: 'postgres://svc:secret@localhost:5432/svc' }
const app = { CODEHOST_APP_ID: '42', CODEHOST_APP_PRIVATE_KEY: String(rsaKey), CODEHOST_WEBHOOK_SECRET: 'hush' }

type Env = Record<string, string | undefined>

const believed = (env: Env): Config => {
  const read = readConfig({ ...required, ...env })
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  return read.config
}

const problems = (env: Env): string[] => {
  const read = readConfig({ ...required, ...env })
  return 'problems' in read ? read.problems : []
}

t.test('there are as many workers as were asked for', async (t) => {
  for (const told of ['1', '2', '3']) t.equal(believed({ SVC_WORKERS: told }).workers, Number(told), told)
})

t.test('the two required variables are enough, and mean setup mode', async (t) => {
  const { sessionKey, ...config } = believed({})
  t.same(config, {
    baseUrl: 'https://svc.example.com',
    databaseUrl: required.DATABASE_URL,
    listen: { host: '0.0.0.0', port: 8080 },
    app: undefined,
    oauth: undefined,
    codehost: { apiUrl: 'https://api.github.com', webUrl: 'https://github.com' },
    oidc: {
      issuer: 'https://token.actions.githubusercontent.com',
      jwksUrl: 'https://token.actions.githubusercontent.com/.well-known/jwks',
      audience: 'https://svc.example.com',
      requiredWorkflowRef: undefined,
    },
    artifacts: undefined,
    metricsToken: undefined,
    trustProxy: undefined,
    workers: 4,
    allowResetup: false,
    log: { level: 'info', format: 'json' },
    retention: { planText: 720 * 3_600_000, events: 168 * 3_600_000, drift: 2160 * 3_600_000 },
  })
  t.equal(sessionKey.bytes.length, 32)
  t.equal(sessionKey.generated, true)
  t.notSame(sessionKey.bytes, believed({}).sessionKey.bytes)
})

t.test('every variable is read', async (t) => {
  const config = believed({
    ...app,
    SVC_LISTEN: '127.0.0.1:9000',
    CODEHOST_OAUTH_CLIENT_ID: 'Iv1.abc',
    CODEHOST_OAUTH_CLIENT_SECRET: 'oauth-secret',
    CODEHOST_API_URL: 'https://git.example.com/api/v3/',
    CODEHOST_WEB_URL: 'https://web.example.com/',
    CODEHOST_OIDC_ISSUER: 'https://issuer.example.com/slug',
    CODEHOST_OIDC_JWKS_URL: 'https://issuer.example.com/keys',
    SVC_OIDC_AUDIENCE: 'svc',
    SVC_REQUIRED_WORKFLOW_REF: 'acme/ci/.github/workflows/*.yml@refs/heads/main',
    SVC_ARTIFACT_BUCKET: 'plans',
    SVC_ARTIFACT_PREFIX: '/teams//svc/',
    AWS_REGION: 'eu-west-1',
    SVC_SESSION_KEY: 'ab'.repeat(32),
    SVC_METRICS_TOKEN: 'scrape',
    SVC_DASHBOARD_URL: 'https://grafana.example.com/d/svc-overview?orgId=2',
    SVC_TRUST_PROXY: '10.0.0.0/8, ::1',
    SVC_WORKERS: '9',
    SVC_ALLOW_RESETUP: 'true',
    SVC_LOG_LEVEL: 'debug',
    SVC_LOG_FORMAT: 'text',
    SVC_PLAN_TEXT_RETENTION: '1h30m',
    SVC_EVENT_RETENTION: '2h',
    SVC_DRIFT_RETENTION: '3h',
    SVC_HISTORY_RETENTION: '365d',
  })
  t.match(config, {
    listen: { host: '127.0.0.1', port: 9000 },
    app: { id: 42, privateKey: String(rsaKey).trim(), webhookSecret: 'hush' },
    oauth: { clientId: 'Iv1.abc', clientSecret: 'oauth-secret' },
    codehost: { apiUrl: 'https://git.example.com/api/v3', webUrl: 'https://web.example.com' },
    oidc: {
      issuer: 'https://issuer.example.com/slug',
      jwksUrl: 'https://issuer.example.com/keys',
      audience: 'svc',
      requiredWorkflowRef: { glob: 'acme/ci/.github/workflows/*.yml@refs/heads/main' },
    },
    artifacts: { bucket: 'plans', prefix: 'teams/svc', endpoint: undefined, region: 'eu-west-1' },
    sessionKey: { bytes: Buffer.from('ab'.repeat(32), 'hex'), generated: false },
    metricsToken: 'scrape',
    dashboardUrl: 'https://grafana.example.com/d/svc-overview?orgId=2',
    trustProxy: ['10.0.0.0/8', '::1'],
    workers: 9,
    allowResetup: true,
    log: { level: 'debug', format: 'text' },
    retention: { planText: 5_400_000, events: 7_200_000, drift: 10_800_000 },
  })
})

t.test('values are trimmed, empty ones count as unset, trailing slashes go', async (t) => {
  const config = believed({ SVC_BASE_URL: '  https://svc.example.com/base//  ', SVC_WORKERS: '  ', SVC_LISTEN: '' })
  t.equal(config.baseUrl, 'https://svc.example.com/base')
  t.equal(config.oidc.audience, 'https://svc.example.com/base')
  t.equal(config.workers, 4)
  t.equal(config.listen.port, 8080)
})

t.test('the API address of an Enterprise Server gives the other addresses', async (t) => {
  const { codehost, oidc } = believed({ CODEHOST_API_URL: 'https://git.example.com/api/v3' })
  t.equal(codehost.webUrl, 'https://git.example.com')
  t.equal(oidc.issuer, 'https://git.example.com/_services/token')
  t.equal(oidc.jwksUrl, 'https://git.example.com/_services/token/.well-known/jwks')
})

t.test('a private key may have its line ends written as \\n', async (t) => {
  const oneLine = String(rsaKey).trim().replaceAll('\n', '\\n')
  t.equal(believed({ ...app, CODEHOST_APP_PRIVATE_KEY: oneLine }).app?.privateKey, String(rsaKey).trim())
})

t.test('a store compatible with S3 is configured by the variables of AWS', async (t) => {
  const artifactsOf = (env: Env) => believed({ SVC_ARTIFACT_BUCKET: 'plans', ...env }).artifacts
  t.match(artifactsOf({}), { prefix: '', endpoint: undefined, region: undefined })
  const own = { AWS_ENDPOINT_URL: 'https://minio.example.com:9000/' }
  t.match(artifactsOf(own), { endpoint: 'https://minio.example.com:9000', region: 'us-east-1' })
  const more = { ...own, AWS_ENDPOINT_URL_S3: 'https://s3.example.com', AWS_DEFAULT_REGION: 'auto' }
  t.match(artifactsOf(more), { endpoint: 'https://s3.example.com', region: 'auto' }, 'the variable for S3 alone wins')
  t.equal(believed({ AWS_ENDPOINT_URL: 'nonsense' }).artifacts, undefined, 'it is ignored without a bucket')
})

t.test('listening on IPv6, on a free port, on every address', async (t) => {
  t.same(believed({ SVC_LISTEN: '[::1]:80' }).listen, { host: '::1', port: 80 })
  t.same(believed({ SVC_LISTEN: 'localhost:0' }).listen, { host: 'localhost', port: 0 })
  t.same(believed({ SVC_LISTEN: ':81' }).listen, { host: '0.0.0.0', port: 81 })
})

const wrong: [what: string, env: Env, problems: string[]][] = [
  ['no base URL', { SVC_BASE_URL: undefined }, ['SVC_BASE_URL: must be set']],
  ['no database', { DATABASE_URL: ' ' }, ['DATABASE_URL: must be set']],
  ['a base URL of another kind', { SVC_BASE_URL: 'ftp://x' }, ['SVC_BASE_URL: must be an absolute']],
  ['a relative base URL', { SVC_BASE_URL: '/svc' }, ['SVC_BASE_URL: must be an absolute']],
  ['a base URL with a query', { SVC_BASE_URL: 'https://x/?a=1' }, ['SVC_BASE_URL: .*no query']],
  ['a base URL with an empty fragment', { SVC_BASE_URL: 'https://x/#' }, ['SVC_BASE_URL: .*no fragment']],
  ['a base URL with a password', { SVC_BASE_URL: 'https://u:p@x' }, ['SVC_BASE_URL: must not hold a user name']],
  [
    'a base URL that is not ASCII',
    { SVC_BASE_URL: 'https://bücher.example' },
    ['SVC_BASE_URL: .* as xn--bcher-kva.ex'],
  ],
  ['a base URL with a space', { SVC_BASE_URL: 'https://x/a b' }, ['SVC_BASE_URL: .* without spaces']],
  ['another database', { DATABASE_URL: 'mysql://x/y' }, ['DATABASE_URL: must be a postgres://']],
  [
    'a password that is not encoded',
    { DATABASE_URL: 'postgres://u:a#b@x/y' },
    ['DATABASE_URL: must be a postgres://.* # %23'],
  ],
  ['a token of two words', { SVC_METRICS_TOKEN: 'to ken' }, ['SVC_METRICS_TOKEN: must be .* without spaces']],
  ['a dashboard that is no address', { SVC_DASHBOARD_URL: 'grafana' }, ['SVC_DASHBOARD_URL: must be an absolute']],
  ['no proxy', { SVC_TRUST_PROXY: '0' }, ["SVC_TRUST_PROXY: '0' must be the number of proxies"]],
  ['every proxy', { SVC_TRUST_PROXY: 'true' }, ["SVC_TRUST_PROXY: 'true' must be"]],
  ['a network too long', { SVC_TRUST_PROXY: '::1,10.0.0.0/33' }, ["SVC_TRUST_PROXY: '10.0.0.0/33' must be"]],
  ['a port alone', { SVC_LISTEN: '8080' }, ["SVC_LISTEN: '8080' must be host:port"]],
  ['a port too high', { SVC_LISTEN: ':70000' }, ["SVC_LISTEN: ':70000' must be host:port"]],
  [
    'one of three app variables',
    { CODEHOST_APP_ID: '1' },
    ['CODEHOST_APP_PRIVATE_KEY: must be set when CODEHOST_APP_ID is', 'CODEHOST_WEBHOOK_SECRET: must be set when'],
  ],
  [
    'an app id that is not a number',
    { ...app, CODEHOST_APP_ID: 'svc' },
    ["CODEHOST_APP_ID: 'svc' must be the app's number"],
  ],
  ['no key', { ...app, CODEHOST_APP_PRIVATE_KEY: 'hello' }, ['CODEHOST_APP_PRIVATE_KEY: must be the PEM of an RSA']],
  ['another key', { ...app, CODEHOST_APP_PRIVATE_KEY: String(ecKey) }, ['CODEHOST_APP_PRIVATE_KEY: must be the PEM']],
  [
    'a client without its secret',
    { CODEHOST_OAUTH_CLIENT_ID: 'x' },
    ['CODEHOST_OAUTH_CLIENT_SECRET: must be set when CODEHOST_OAUTH_CLIENT_ID is'],
  ],
  ['no address of the API', { CODEHOST_API_URL: 'github' }, ['CODEHOST_API_URL: must be an absolute']],
  ['no address of the web', { CODEHOST_WEB_URL: 'github' }, ['CODEHOST_WEB_URL: must be an absolute']],
  ['no issuer', { CODEHOST_OIDC_ISSUER: 'github' }, ['CODEHOST_OIDC_ISSUER: must be an absolute']],
  ['no key set', { CODEHOST_OIDC_JWKS_URL: 'keys' }, ['CODEHOST_OIDC_JWKS_URL: must be an absolute']],
  ['a malformed glob', { SVC_REQUIRED_WORKFLOW_REF: 'acme/[ci@main' }, ['SVC_REQUIRED_WORKFLOW_REF: ']],
  [
    'a prefix that is not a plain path',
    { SVC_ARTIFACT_BUCKET: 'plans', SVC_ARTIFACT_PREFIX: 'a/../b' },
    ["SVC_ARTIFACT_PREFIX: 'a/../b' must be a short path"],
  ],
  [
    'a store without a valid address',
    { SVC_ARTIFACT_BUCKET: 'plans', AWS_ENDPOINT_URL_S3: 'minio:9000' },
    ['AWS_ENDPOINT_URL_S3: must be an absolute'],
  ],
  ['a prefix without a bucket', { SVC_ARTIFACT_PREFIX: 'x' }, ['SVC_ARTIFACT_PREFIX: needs SVC_ARTIFACT_BUCKET']],
  [
    'a URL instead of a bucket',
    { SVC_ARTIFACT_BUCKET: 's3://plans' },
    ["SVC_ARTIFACT_BUCKET: 's3://plans' must be a bucket's"],
  ],
  ['a short session key', { SVC_SESSION_KEY: 'abcd' }, ['SVC_SESSION_KEY: must be 64 hexadecimal']],
  ['no workers', { SVC_WORKERS: '0' }, ["SVC_WORKERS: '0' must be a positive integer"]],
  ['half a worker', { SVC_WORKERS: '1.5' }, ["SVC_WORKERS: '1.5' must be a positive integer"]],
  ['perhaps', { SVC_ALLOW_RESETUP: 'perhaps' }, ["SVC_ALLOW_RESETUP: 'perhaps' must be true or false"]],
  ['an unknown level', { SVC_LOG_LEVEL: 'loud' }, ["SVC_LOG_LEVEL: 'loud' must be one of debug, info, warn, error"]],
  ['an unknown format', { SVC_LOG_FORMAT: 'xml' }, ["SVC_LOG_FORMAT: 'xml' must be one of json, text"]],
  ['an invalid duration', { SVC_EVENT_RETENTION: 'a week' }, ["SVC_EVENT_RETENTION: 'a week' must be a duration"]],
  [
    'history without a bucket',
    { SVC_HISTORY_RETENTION: '8760h' },
    ['SVC_HISTORY_RETENTION: needs SVC_ARTIFACT_BUCKET'],
  ],
  [
    'history that is shorter than texts',
    { SVC_HISTORY_RETENTION: '24h', SVC_ARTIFACT_BUCKET: 'plans' },
    ['SVC_HISTORY_RETENTION: must be at least as long as SVC_PLAN_TEXT_RETENTION'],
  ],
  ['a duration of nothing', { SVC_DRIFT_RETENTION: '0h' }, ["SVC_DRIFT_RETENTION: '0h' must be a duration"]],
]

t.test('each fault is one problem that names the variable and what would be right', async (t) => {
  for (const [what, env, expected] of wrong) {
    const found = problems(env)
    t.equal(found.length, expected.length, `${what}: ${found.join('; ')}`)
    for (const [index, start] of expected.entries())
      t.match(found[index], new RegExp(start.replaceAll('[', '\\[')), what)
  }
})

t.test('all problems are reported at once, without secret values', async (t) => {
  const found = problems({
    SVC_BASE_URL: 'https://user:pass-word@x',
    DATABASE_URL: 'mysql://u:pass-word@x',
    SVC_SESSION_KEY: 'pass-word',
    CODEHOST_APP_ID: '1',
    CODEHOST_APP_PRIVATE_KEY: 'pass-word',
    CODEHOST_WEBHOOK_SECRET: 'pass-word',
    SVC_WORKERS: 'many',
    SVC_LOG_LEVEL: 'loud',
  })
  t.equal(found.length, 6, found.join('\n'))
  t.notMatch(found.join('\n'), 'pass-word')
})

t.test('what is missing hides nothing that is wrong with the rest', async (t) => {
  t.match(problems({ CODEHOST_APP_ID: 'svc', CODEHOST_APP_PRIVATE_KEY: 'hello' }), [
    /^CODEHOST_WEBHOOK_SECRET: must be set/,
    /^CODEHOST_APP_ID: 'svc' must be/,
    /^CODEHOST_APP_PRIVATE_KEY: must be the PEM/,
  ])
  t.match(problems({ SVC_ARTIFACT_BUCKET: 's3://x', SVC_ARTIFACT_PREFIX: '..', AWS_ENDPOINT_URL: 'minio' }), [
    /^SVC_ARTIFACT_PREFIX: '\.\.' must be a short path/,
    /^SVC_ARTIFACT_BUCKET: 's3:\/\/x' must be/,
    /^AWS_ENDPOINT_URL: must be an absolute/,
  ])
  t.match(problems({ SVC_ARTIFACT_PREFIX: '..' }), [/must be a short path/, /needs SVC_ARTIFACT_BUCKET/])
  t.match(problems({ SVC_HISTORY_RETENTION: '24h' }), [/needs SVC_ARTIFACT_BUCKET/, /must be at least as long/])
})
