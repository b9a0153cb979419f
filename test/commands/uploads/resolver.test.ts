import t from 'tap'
import { createResolver } from '#commands/uploads/resolver.ts'
import { defaultConfig } from '#domain/config/config-file.ts'

const sha = 'a'.repeat(40)
const facts = {
  repos: ['acme/infra'],
  sha,
  defaultConfig,
  defaultGraph: undefined,
  hostPaths: [],
  goneDirectories: [],
}

/** An upload of one stack, with a note that makes it too large to be resolved at once. */
const upload = (chars: number) =>
  JSON.stringify({
    graph: { repo: 'acme/infra', sha, tree_hash: 't', stacks: [{ key: 'a', path: 'a' }] },
    changed_paths: ['a/x'],
    note: 'x'.repeat(chars),
  })
const large = upload(10_000)

t.test('small and large uploads are resolved alike', async (t) => {
  const resolver = createResolver()
  t.teardown(() => resolver.stop())
  const small = await resolver.resolve(upload(0), facts)
  t.match(small, { ok: true, resolution: { waves: [['a']] } })
  t.same(await resolver.resolve(large, facts), small)
})

t.test('an upload that fails in the thread fails alone', async (t) => {
  const resolver = createResolver()
  t.teardown(() => resolver.stop())
  const broken = resolver.resolve(large, { ...facts, defaultGraph: 'no JSON' })
  const others = [resolver.resolve(large, facts), resolver.resolve(large, { ...facts, sha: 'b'.repeat(40) })]
  await t.rejects(broken, { name: 'SyntaxError' })
  t.match(await Promise.all(others), [{ ok: true }, { ok: false, field: 'graph.sha' }])
})

t.test('a thread that ends is followed by another, and its upload is refused', async (t) => {
  const resolver = createResolver()
  t.teardown(() => resolver.stop())
  t.match(await resolver.resolve(large, facts), { ok: true })
  const stacks = Array.from({ length: 100_000 }, (_, i) => ({ key: `s/${i}`, path: `s/${i}` }))
  const long = JSON.stringify({ graph: { repo: 'acme/infra', sha, tree_hash: 't', stacks } })
  const lost = resolver.resolve(long, facts)
  await Promise.resolve()
  const [refused] = await Promise.all([lost.catch((error) => error), resolver.stop()])
  t.match(refused, { code: 'unavailable' })
  t.match(await resolver.resolve(large, facts), { ok: true })
})

t.test('globs that take too long hold up no one, and are refused', async (t) => {
  const resolver = createResolver({ ms: 700, megabytes: 256 })
  t.teardown(() => resolver.stop())
  const listed = (count: number, text: string) => Array.from({ length: count }, (_, i) => `${text}${i}`)
  const slow = JSON.stringify({
    graph: { repo: 'acme/infra', sha, tree_hash: 't', stacks: [{ key: 'a', path: 'a' }] },
    config: { version: 1, tool: 'terraform', ignore: listed(400, `*${'a'.repeat(285)}`) },
    changed_paths: listed(120, 'a'.repeat(900)),
  })
  const begun = performance.now()
  let turns = 0
  const turning = setInterval(() => {
    turns += 1
  }, 10)
  t.teardown(() => clearInterval(turning))
  await t.rejects(resolver.resolve(slow, facts), { code: 'invalid', status: 400, details: { field: 'config' } })
  t.ok(turns > 10, `${turns} turns in ${Math.round(performance.now() - begun)} ms`)
  // on a busy machine the start of the next thread may take as long
  let next: unknown
  while (next === undefined) next = await resolver.resolve(large, facts).catch(() => undefined)
  t.match(next, { ok: true })
})

t.test('an upload that would fill the memory is refused', async (t) => {
  const resolver = createResolver({ ms: 60_000, megabytes: 24 })
  t.teardown(() => resolver.stop())
  const names = Array.from({ length: 1500 }, (_, i) => `s${i}`)
  const instances = Object.fromEntries(names.map((name) => [name, {}]))
  const full = JSON.stringify({
    graph: { repo: 'acme/infra', sha, tree_hash: 't', stacks: names.map((path) => ({ key: path, path })) },
    config: { version: 1, tool: 'terraform', stacks: [{ match: '**', instances }] },
    changed_paths: ['svc.yml', ...names.map((path) => `${path}/x`)],
  })
  await t.rejects(resolver.resolve(full, facts), { code: 'invalid', message: /more than 24 MB/ })
  t.match(await resolver.resolve(large, facts), { ok: true })
})
