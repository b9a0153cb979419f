import t from 'tap'
import { type Json, serve } from '#test/scenes/served.ts'

const { send } = await serve(t)

t.test('the OpenAPI document is made from the schemas', async (t) => {
  const answer = await send('/v1/openapi.json')
  t.equal(answer.status, 200)
  const document: Json = answer.json
  t.match(document, {
    openapi: '3.1.0',
    info: { title: 'svc', version: '1.2.3' },
    servers: [{ url: 'https://svc.example.com' }],
  })
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method} ${path}`),
  )
  t.same(operations.sort(), [
    'get /auth/callback',
    'get /auth/login',
    'get /healthz',
    'get /metrics',
    'get /readyz',
    'get /setup',
    'get /setup/callback',
    'get /setup/installed',
    'get /svc.schema.json',
    'get /v1/audit',
    'get /v1/locks',
    'get /v1/machines/{kind}',
    'get /v1/machines/{kind}/{id}',
    'get /v1/machines/{kind}/{id}/journal',
    'get /v1/me',
    'get /v1/modules',
    'get /v1/modules/{id}',
    'get /v1/openapi.json',
    'get /v1/overview',
    'get /v1/queue',
    'get /v1/repos',
    'get /v1/repos/{owner}/{repo}/graph',
    'get /v1/repos/{owner}/{repo}/runs',
    'get /v1/repos/{owner}/{repo}/stacks',
    'get /v1/runs',
    'get /v1/runs/{id}',
    'get /v1/runs/{id}/config',
    'get /v1/runs/{id}/dispatches',
    'get /v1/runs/{id}/gate',
    'get /v1/runs/{id}/stacks/{key}',
    'get /v1/runs/{id}/stacks/{key}/plan',
    'get /v1/runs/{id}/stacks/{key}/text',
    'get /v1/runs/{id}/timeline',
    'get /v1/search',
    'get /v1/stacks',
    'get /v1/stacks/{id}',
    'get /v1/stacks/{id}/drift',
    'get /v1/stacks/{id}/runs',
    'post /auth/logout',
    'post /v1/queue/{id}/retry',
    'post /v1/runs',
    'post /v1/runs/{id}/gate',
    'post /v1/runs/{id}/graph',
    'post /v1/runs/{id}/rerun',
    'post /v1/runs/{id}/stacks/{key}/checks/{name}',
    'post /v1/runs/{id}/stacks/{key}/result',
    'post /v1/stacks/{id}/unlock',
    'post /v1/unlock',
    'post /webhooks/codehost',
  ])
  const result = document.paths['/v1/runs/{id}/stacks/{key}/result'].post
  t.same(result.security, [{ runner: [] }, { apiKey: [] }])
  t.same(Object.keys(result.responses), ['200', '400', '401', '403', '404', '409', '413', '500', '503'])
  t.match(result.responses['409'].description, /superseded/)
  const { schemas } = document.components
  for (const name of ['Run', 'RunStack', 'Summary', 'Check', 'LockInfo', 'Warning', 'ResolveResponse', 'Error']) {
    t.ok(schemas[name]?.description, name)
  }
  t.notMatch(answer.text, /"additionalProperties":false/, 'answers may get more fields')
})

t.test('every reference of the document leads somewhere, and every component is referred to', async (t) => {
  const { text, json } = await send('/v1/openapi.json')
  const targets = new Set([...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name))
  t.ok(targets.size > 10)
  t.same([...targets].sort(), Object.keys(json.components.schemas).sort())
})
