import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { sessionKey } from './fuzz/callers.ts'
import { createJudge } from './fuzz/judge.ts'
import { playFuzz } from './fuzz/play-fuzz.ts'

/* `npm run proof -- fuzz` plays 100,000 requests of these. */

const requests = Number(process.env.SVC_FUZZ ?? 1500)

t.test(`${requests} requests made from the API's document are answered as it says`, async (t) => {
  const world = await startWorld(t, { env: { SVC_SESSION_KEY: sessionKey } })
  const report = await playFuzz(world, { requests, seed: 1 })
  t.same(report.broken, [])
  for (const status of [200, 201, 400, 401, 403, 404]) t.ok((report.statuses[status] ?? 0) > 0, `some are ${status}`)
  for (const route of ['runs', 'runs/{id}/graph', 'runs/{id}/stacks/{key}/result', 'unlock'])
    t.ok(
      Object.keys(report.done).some((done) => done.startsWith(`POST /v1/${route} `)),
      `${route} is carried out`,
    )
  t.comment(JSON.stringify({ ...report.statuses, ...report.done }))
})

t.test('an answer that is not as documented is found', (t) => {
  const run = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Run' } } }
  const operation = { responses: { 200: { content }, 409: {} } }
  const paths = { '/v1/runs/{id}': { get: operation } }
  const judge = createJudge({ paths, components: { schemas: { Run: run } } })
  const json = 'application/json; charset=utf-8'
  const cases: [status: number, text: string, wrong: RegExp | undefined, changes?: object][] = [
    [200, '{"id":"a","more":1}', undefined],
    [200, '{"id":1}', /must be string/],
    [409, '{"code":"conflict","message":"no"}', undefined],
    [409, '{"code":"locked","message":"no"}', /the code locked/],
    [409, '{"code":"conflict","message":""}', /no message/],
    [409, '{"code":"conflict","message":"no","stack":"at x"}', /stack in an error/],
    [409, '{"code":"conflict","message":"no","details":1}', /no object/],
    [400, 'bad', /text\/plain/, { type: 'text/plain' }],
    [423, '{"code":"locked","message":"no"}', /does not name/],
    [500, '{"code":"internal","message":"no"}', /is 500/],
    [200, '{"id":"a"}', /took 60000 ms/, { ms: 60_000 }],
    [200, '{"id":"a"}', /X-Request-Id/, { id: undefined }],
  ]
  for (const [status, text, wrong, changes] of cases) {
    const { type, ms, id } = { type: json, ms: 1, id: 'one', ...changes }
    const heard = { status, text, ms, headers: { 'content-type': type, 'x-request-id': id } }
    const said = judge({ method: 'GET', path: '/v1/runs/{id}', operation }, heard)
    if (wrong) t.match(said, wrong, text)
    else t.equal(said, undefined, text)
  }
  t.end()
})
