import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { addKey, planning } from '#test/scenes/scene.ts'

const world = await startWorld(t)
const key = await addKey(world)
const run = await planning(world, ['a', 'b', 'c'])

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${world.service.url}${path}`, { method, headers: { authorization: `Bearer ${key}`, ...headers } })

const tagOf = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
  const answer = await ask(path, headers)
  await answer.text()
  return answer.headers.get('etag') ?? ''
}

const paths = ['/v1/me', '/v1/openapi.json', '/v1/repos/acme/infra/graph', `/v1/runs/${run.id}`, '/v1/locks']

t.test('who has the answer already is told so, without its body', async (t) => {
  for (const path of paths) {
    const tag = await tagOf(path)
    t.match(tag, /^W\/"[\w-]{27}"$/, path)
    t.equal(await tagOf(path), tag, 'it stays while the answer does')
    t.equal(await tagOf(path, { 'accept-encoding': 'identity' }), tag, 'in every encoding')
    for (const known of [tag, tag.slice(2), `"other", ${tag}`, `W/"x",${tag.slice(2)}`, '*']) {
      const answer = await ask(path, { 'if-none-match': known })
      t.equal(answer.status, 304, `${path} for ${known}`)
      t.equal(await answer.text(), '')
      t.equal(answer.headers.get('etag'), tag)
      t.equal(answer.headers.get('cache-control'), 'no-store')
      t.ok(answer.headers.get('x-request-id'))
      t.notOk(answer.headers.get('content-encoding'))
    }
    for (const other of ['"other"', 'W/"other"', tag.slice(0, -2), '']) {
      const answer = await ask(path, { 'if-none-match': other })
      t.equal(answer.status, 200, `${path} for ${other}`)
      t.ok((await answer.text()).length > 2)
    }
  }
})

t.test('an answer that has changed comes whole, under another tag', async (t) => {
  const path = `/v1/runs/${run.id}`
  const before = await tagOf(path)
  await run.job.report(run.id, 'a')
  const answer = await ask(path, { 'if-none-match': before })
  t.equal(answer.status, 200)
  t.not(answer.headers.get('etag'), before)
  t.match(await answer.json(), { id: run.id, stacks: [{ key: 'a', status: 'planned' }, {}, {}] })
})

t.test('errors, pages, and answers to what is no GET have none', async (t) => {
  const answers = [
    await ask('/v1/runs/00000000-0000-4000-8000-000000000000', { 'if-none-match': '*' }),
    await ask('/setup', { 'if-none-match': '*' }),
    await ask('/v1/me', { 'if-none-match': '*' }, 'HEAD'),
    await ask(`/v1/runs/${run.id}/rerun`, { 'if-none-match': '*' }, 'POST'),
  ]
  for (const { status, headers, url } of answers) {
    t.not(status, 304, url)
    t.notOk(headers.get('etag'), url)
  }
})

t.test('a run too large to be held in memory is streamed without a tag, and whole', async (t) => {
  const keys = Array.from({ length: 30 }, (_, i) => `large/${String(i).padStart(2, '0')}`)
  const large = await planning(world, keys)
  for (const key of keys) await large.job.report(large.id, key, { plan_text: 'x'.repeat(100_000) })
  const answer = await ask(`/v1/runs/${large.id}`, { 'if-none-match': '*' })
  t.equal(answer.status, 200)
  t.notOk(answer.headers.get('etag'))
  const { stacks } = (await answer.json()) as { stacks: { key: string; plan_text: string }[] }
  t.same(
    stacks.map(({ key }) => key),
    keys,
  )
  t.ok(stacks.every(({ plan_text }) => plan_text.length === 100_000))
})
