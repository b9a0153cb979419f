import t from 'tap'
import { createResolver, type Resolver } from '#commands/uploads/resolver.ts'
import { defaultConfig } from '#domain/config/config-file.ts'
import { longestTurn } from '#test/helpers/longest-turn.ts'

const sha = 'a'.repeat(40)
const facts = {
  repos: ['acme/infra'],
  sha,
  defaultConfig,
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

/** Resolves a text for a job that waits for it. */
const ask = (
  resolver: Resolver,
  text: string,
  given: { facts?: Partial<typeof facts>; graph?: string; repoId?: number; signal?: AbortSignal } = {},
) => {
  const { graph, repoId = 7, signal = new AbortController().signal } = given
  const asked = { bytes: Buffer.from(text), repoId, signal }
  return resolver.resolve(asked, { ...facts, ...given.facts }, async () => graph)
}

/** Globs that take some seconds to match. */
const slow = (): string => {
  const listed = (count: number, text: string) => Array.from({ length: count }, (_, i) => `${text}${i}`)
  return JSON.stringify({
    graph: { repo: 'acme/infra', sha, tree_hash: 't', stacks: [{ key: 'a', path: 'a' }] },
    config: { version: 1, tool: 'terraform', ignore: listed(400, `*${'a'.repeat(285)}`) },
    changed_paths: listed(120, 'a'.repeat(900)),
  })
}

t.test('small and large uploads are resolved alike', async (t) => {
  const resolver = createResolver()
  t.teardown(() => resolver.stop())
  const small = await ask(resolver, upload(0))
  t.match(small, { ok: true, resolution: { waves: [['a']] } })
  t.same(await ask(resolver, large), small)
})

t.test('an upload that is resolved inline holds the event loop for a short time, whatever its globs', async (t) => {
  const resolver = createResolver()
  t.teardown(() => resolver.stop())
  const listed = (count: number, text: string) => Array.from({ length: count }, (_, i) => `${text}${i}`)
  const given = {
    graph: { repo: 'acme/infra', sha, tree_hash: 't', stacks: [{ key: 'a', path: 'a' }] },
    config: { version: 1, tool: 'terraform', ignore: listed(8, `*a${'a'.repeat(280)}`) },
    changed_paths: listed(8, 'a'.repeat(640)),
  }
  const text = JSON.stringify(given)
  t.ok(text.length > 7500 && text.length < 8192, `${text.length} characters`)
  await ask(resolver, large)
  const longest = longestTurn()
  t.match(await ask(resolver, text), { ok: true })
  const ms = longest()
  t.ok(ms < 50, `${Math.round(ms)} ms`)
})

t.test('an upload that fails in the thread fails alone', async (t) => {
  const resolver = createResolver()
  t.teardown(() => resolver.stop())
  const broken = ask(resolver, large, { graph: 'no JSON' })
  const others = [ask(resolver, large), ask(resolver, large, { facts: { sha: 'b'.repeat(40) } })]
  await t.rejects(broken, { name: 'SyntaxError' })
  t.match(await Promise.all(others), [{ ok: true }, { ok: false, field: 'graph.sha' }])
})

t.test('a thread that ends is followed by another, and its upload is refused', async (t) => {
  const resolver = createResolver()
  t.teardown(() => resolver.stop())
  t.match(await ask(resolver, large), { ok: true })
  const stacks = Array.from({ length: 100_000 }, (_, i) => ({ key: `s/${i}`, path: `s/${i}` }))
  const long = JSON.stringify({ graph: { repo: 'acme/infra', sha, tree_hash: 't', stacks } })
  const lost = ask(resolver, long)
  await Promise.resolve()
  const [refused] = await Promise.all([lost.catch((error) => error), resolver.stop()])
  t.match(refused, { code: 'unavailable' })
  t.match(await ask(resolver, large), { ok: true })
})

t.test('globs that take too long hold up no one, and are refused', async (t) => {
  const resolver = createResolver({ ms: 700 })
  t.teardown(() => resolver.stop())
  const begun = performance.now()
  let turns = 0
  const turning = setInterval(() => {
    turns += 1
  }, 10)
  t.teardown(() => clearInterval(turning))
  await t.rejects(ask(resolver, slow()), { code: 'invalid', status: 400, details: { field: 'config' } })
  t.ok(turns > 10, `${turns} turns in ${Math.round(performance.now() - begun)} ms`)
  t.match(await ask(resolver, large), { ok: true })
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
  await t.rejects(ask(resolver, full), { code: 'invalid', message: /more than 24 MB/ })
  t.match(await ask(resolver, large), { ok: true })
})

t.test('repositories take turns: one that uploads much delays another by one upload', async (t) => {
  const resolver = createResolver({ ms: 300 })
  t.teardown(() => resolver.stop())
  const done: string[] = []
  const upload = (name: string, text: string, repoId: number) =>
    ask(resolver, text, { repoId }).then(
      () => done.push(name),
      () => done.push(`${name} refused`),
    )
  const all = [1, 2, 3, 4].map((number) => upload(`slow ${number}`, slow(), 1))
  await Promise.all([...all, upload('other', large, 2), upload('another', large, 3)])
  t.same(done, ['slow 1 refused', 'other', 'another', 'slow 2 refused', 'slow 3 refused', 'slow 4 refused'])
})

t.test('what waits for nobody any more is not resolved', async (t) => {
  const resolver = createResolver({ ms: 300 })
  t.teardown(() => resolver.stop())
  const first = t.rejects(ask(resolver, slow()), { code: 'invalid' })
  const leaving = new AbortController()
  let isAsked = false
  const left = resolver.resolve({ bytes: Buffer.from(large), repoId: 1, signal: leaving.signal }, facts, async () => {
    isAsked = true
    return undefined
  })
  leaving.abort(new Error('left'))
  await t.rejects(left, { message: 'left' })
  await first
  t.match(await ask(resolver, large), { ok: true })
  t.notOk(isAsked)
})

t.test('only so many wait: of one repository, and in all', async (t) => {
  const resolver = createResolver({ ms: 300, waiting: 16 })
  t.teardown(() => resolver.stop())
  const first = t.rejects(ask(resolver, slow()), { code: 'invalid' })
  const refused = { code: 'unavailable', status: 503, retryAfter: 5 }
  const ofOne = [1, 2].map(() => ask(resolver, large, { repoId: 1 }))
  await t.rejects(ask(resolver, large, { repoId: 1 }), refused, 'an eighth of the line is one repository')
  const ofMany = Array.from({ length: 14 }, (_, index) => ask(resolver, large, { repoId: 2 + index }))
  await t.rejects(ask(resolver, large, { repoId: 99 }), refused)
  await first
  for (const one of await Promise.all([...ofOne, ...ofMany])) t.match(one, { ok: true })
})
