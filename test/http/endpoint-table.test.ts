import { randomUUID } from 'node:crypto'
import t from 'tap'
import { signIn } from '#test/helpers/lists.ts'
import { type Answer, addKey, addRepository, headSha, type Json, query, serve } from '#test/scenes/served.ts'

/*
 * Who may call what (docs/interface.md, 'Endpoints' and 'Authentication'): every row with a job's token, a session, an API key
 * and nothing. Other tests cover what an operation does for the callers it lets in.
 */

const service = await serve(t)
await addRepository(service.databaseUrl)
const key = await addKey(service.databaseUrl, 'table')
/** A new session for each request, of acme, the account of the one repository: one of the requests signs out. */
const signedIn = () => signIn(service.pool, Buffer.alloc(32, 7), [1])

type Kind = 'runner' | 'person' | 'key'

/** The table of the specification, with operations added within v1. Without a kind: open to anyone. */
const table: Record<string, Kind[]> = {
  'POST /v1/runs': ['runner', 'key'],
  'POST /v1/runs/{id}/graph': ['runner'],
  'POST /v1/runs/{id}/stacks/{key}/result': ['runner', 'key'],
  'POST /v1/runs/{id}/stacks/{key}/checks/{name}': ['runner', 'key'],
  'GET /v1/runs/{id}': ['runner', 'person', 'key'],
  'GET /v1/runs/{id}/stacks/{key}/plan': ['person', 'key'],
  'POST /v1/runs/{id}/rerun': ['person', 'key'],
  'POST /v1/unlock': ['person', 'key'],
  'POST /v1/stacks/{id}/unlock': ['person', 'key'],
  'GET /v1/me': ['person', 'key'],
  'GET /v1/overview': ['person', 'key'],
  'GET /v1/repos': ['person', 'key'],
  'GET /v1/repos/{owner}/{repo}/graph': ['person', 'key'],
  'GET /v1/repos/{owner}/{repo}/runs': ['person', 'key'],
  'GET /v1/repos/{owner}/{repo}/stacks': ['person', 'key'],
  'GET /v1/stacks/{id}': ['person', 'key'],
  'GET /v1/stacks/{id}/runs': ['person', 'key'],
  'GET /v1/modules': ['person', 'key'],
  'GET /v1/modules/{id}': ['person', 'key'],
  'GET /v1/audit': ['person', 'key'],
  'GET /auth/login': [],
  'GET /auth/callback': [],
  'POST /auth/logout': ['person'],
  'GET /setup': [],
  'GET /setup/callback': [],
  'GET /setup/installed': [],
  'GET /healthz': [],
  'GET /readyz': [],
  'GET /metrics': [],
  'GET /v1/openapi.json': [],
  'GET /svc.schema.json': [],
  'GET /v1/locks': ['person', 'key'],
  'GET /v1/runs/{id}/config': ['runner'],
  'GET /v1/runs/{id}/gate': ['person', 'key'],
  'POST /v1/runs/{id}/gate': ['person', 'key'],
  'GET /v1/machines/{kind}': ['person', 'key'],
  'GET /v1/machines/{kind}/{id}': ['person', 'key'],
  'GET /v1/machines/{kind}/{id}/journal': ['person', 'key'],
  'GET /v1/queue': ['person', 'key'],
  'POST /v1/queue/{id}/retry': ['person', 'key'],
}

const webhook = 'POST /webhooks/codehost'

const names: Record<Kind, string> = { runner: 'runner', person: 'session', key: 'apiKey' }

const credentials = async (kind: Kind | 'nobody'): Promise<Record<string, string>> => {
  if (kind === 'nobody') return {}
  if (kind === 'person') return { cookie: await signedIn(), origin: 'https://svc.example.com' }
  return { authorization: `Bearer ${kind === 'key' ? key : await service.token()}` }
}

/** A request that would be understood, for things that do not exist. */
const send = async (operation: string, kind: Kind | 'nobody'): Promise<Answer> => {
  const [method = '', template = ''] = operation.split(' ')
  const given: Record<string, string> = { owner: 'acme', repo: 'none', kind: 'run', key: 'app', name: 'policy' }
  const id = template.startsWith('/v1/queue') ? '999' : randomUUID()
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? id : (given[name] ?? '')))
  const headers = await credentials(kind)
  if (method === 'GET') return service.send(path, { headers })
  const body = JSON.stringify({ repo: 'acme/none', stack_key: 'app', sha: headSha, mode: 'plan', status: 'pass' })
  return service.send(path, { method, headers: { ...headers, 'content-type': 'application/json' }, body })
}

const document: Json = (await service.send('/v1/openapi.json')).json
const operations = new Map<string, Json>(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Json).map(([method, one]) => [`${method.toUpperCase()} ${path}`, one] as const),
  ),
)

/** By the document: operations newer than the table must do as they say there. */
const kindsOf = (operation: string): Kind[] => {
  const said = (operations.get(operation)?.security ?? []).flatMap((one: object) => Object.keys(one))
  return (['runner', 'person', 'key'] as const).filter((kind) => said.includes(names[kind]))
}

t.test('every row of the table exists, and the document says who may call it', async (t) => {
  for (const [operation, kinds] of Object.entries(table)) {
    t.ok(operations.has(operation), operation)
    t.same(kindsOf(operation), kinds, operation)
  }
  for (const kind of ['nobody', 'runner', 'person', 'key'] as const) {
    t.match(
      await send(webhook, kind),
      { status: 401, json: { code: 'unauthorized' } },
      'only its signature lets a caller in',
    )
  }
})

t.test('each lets in its callers, and no others', async (t) => {
  for (const operation of operations.keys()) {
    if (operation === webhook) continue
    const kinds = table[operation] ?? kindsOf(operation)
    for (const kind of ['nobody', 'runner', 'person', 'key'] as const) {
      const what = `${operation} for ${kind}`
      const { status, json, headers, text } = await send(operation, kind)
      const isOpen = kinds.length === 0 || (kind !== 'nobody' && kinds.includes(kind))
      if (!isOpen && kind === 'key') t.match({ status, json }, { status: 403, json: { code: 'forbidden' } }, what)
      else if (!isOpen) {
        t.match({ status, json }, { status: 401, json: { code: 'unauthorized' } }, what)
        t.equal(headers.get('www-authenticate'), 'Bearer realm="svc"', what)
      } else if (operation.includes(' /v1/queue') && kind === 'person') {
        t.match({ status, json }, { status: 403, json: { message: /only administrators/ } }, what)
      } else {
        t.not(status, 401, what)
        t.notMatch(text, /not accepted here/, what)
        t.ok(status < 500 || operation.includes(' /auth/'), `${what}: ${status} ${text}`)
      }
    }
  }
})

t.test('each that changes something by a session accepts requests only from our own pages', async (t) => {
  const cookie = await signedIn()
  const before = await query(service.databaseUrl, ['select count(*)::int as n from sessions'])
  for (const [operation, kinds] of Object.entries(table)) {
    const [method = '', template = ''] = operation.split(' ')
    if (method !== 'POST' || !kinds.includes('person')) continue
    const id = template.startsWith('/v1/queue') ? '999' : randomUUID()
    const path = template.replaceAll('{id}', id)
    for (const headers of [{ cookie }, { cookie, origin: 'https://evil.example' }]) {
      const answer = await service.send(path, { method, headers })
      t.match(answer, { status: 403, json: { code: 'forbidden', message: /must come from/ } }, operation)
    }
  }
  t.same(await query(service.databaseUrl, ['select count(*)::int as n from sessions']), before)
})
