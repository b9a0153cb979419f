import t from 'tap'
import { createResolver, type Resolver } from '#commands/resolving/resolver.ts'
import { defaultConfig } from '#domain/config/config-file.ts'
import { longestTurn } from '#test/helpers/longest-turn.ts'

const sha = 'a'.repeat(40)
const facts = {
  repos: ['acme/infra'],
  sha,
  defaultConfig,
  hostPaths: [],
  gonePaths: [],
}

/** An upload of one stack, with a note that makes it too large to be resolved at once. */
const upload = (chars: number) =>
  JSON.stringify({
    graph: { repo: 'acme/infra', sha, tree_hash: 't', stacks: [{ key: 'a', path: 'a' }] },
    changed_paths: ['a/x'],
    note: 'x'.repeat(chars),
  })
const large = upload(10_000)

/** An installation and a repository of it. */
type Owner = [installationId: number, repoId: number]

/** Resolves a text for a job that waits for it. */
const ask = (
  resolver: Resolver,
  text: string,
  given: { facts?: Partial<typeof facts>; graph?: string; owner?: Owner; signal?: AbortSignal } = {},
) => {
  const { graph, owner: [installationId, repoId] = [1, 7] } = given
  const { signal = new AbortController().signal } = given
  const asked = { bytes: Buffer.from(text), owner: { installationId, repoId }, signal }
  return resolver.resolve(asked, { ...facts, ...given.facts }, async () =>
    graph === undefined ? undefined : { text: graph, isOutline: false },
  )
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

t.test('more than the outline of the default branch’s graph is asked for only where its svc.yml differs', async (t) => {
  const resolver = createResolver()
  t.teardown(() => resolver.stop())
  const hidden = { key: 'secret', path: 'secret', tool: 'tofu' }
  const body = { repo: 'acme/infra', sha, tree_hash: 't', modules: [], edges: [] }
  const asked = async (text: string, hostPaths: string[], gonePaths?: string[]) => {
    const reads: string[] = []
    const given = {
      bytes: Buffer.from(text),
      owner: { installationId: 1, repoId: 7 },
      signal: new AbortController().signal,
    }
    const resolved = await resolver.resolve(given, { ...facts, hostPaths, gonePaths }, async (what) => {
      reads.push(what)
      const stacks = what === 'graph' ? [hidden] : [{ key: 'secret', path: 'secret' }]
      return { text: JSON.stringify({ ...body, stacks }), isOutline: what === 'outline' }
    })
    return { reads, added: resolved.ok && resolved.resolution.addedStacks }
  }
  for (const note of ['', 'x'.repeat(10_000)]) {
    const same = { graph: { ...body, stacks: [{ key: 'a', path: 'a' }] }, changed_paths: ['a/x', 'secret/x'], note }
    const other = { ...same, config: { version: 1, tool: 'terraform', discover: { exclude: ['secret'] } } }
    t.same(await asked(JSON.stringify(same), []), { reads: ['outline'], added: [] })
    t.same(await asked(JSON.stringify(other), []), { reads: ['outline', 'graph'], added: [hidden] })
    t.same(await asked(JSON.stringify(other), ['svc.yml']), { reads: ['graph'], added: [hidden] })
    t.same(
      await asked(JSON.stringify(other), [], []),
      { reads: ['graph'], added: [hidden] },
      'what was looked for differs',
    )
  }
})

t.test('a configuration that makes more edges than a graph can have is refused', async (t) => {
  const resolver = createResolver()
  t.teardown(() => resolver.stop())
  const named = (name: string) => Array.from({ length: 500 }, (_, i) => ({ key: `${name}/${i}`, path: `${name}/${i}` }))
  const text = JSON.stringify({
    graph: { repo: 'acme/infra', sha, tree_hash: 't', stacks: [...named('a'), ...named('b')] },
    config: { version: 1, tool: 'tofu', stacks: [{ match: 'a/*', depends_on: ['b/*'] }] },
    changed_paths: [],
  })
  t.same(await ask(resolver, text), {
    ok: false,
    field: 'config.stacks',
    reason: 'depends_on makes more than 200000 edges, at a/400: name fewer stacks',
  })
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

t.test("a small upload does not hold the event loop for the default branch's globs either", async (t) => {
  const resolver = createResolver()
  t.teardown(() => resolver.stop())
  const text = JSON.stringify({
    graph: { repo: 'acme/infra', sha, tree_hash: 't', stacks: [{ key: 'a', path: 'a' }] },
    changed_paths: ['a'.repeat(3000)],
  })
  t.ok(text.length < 4096, `${text.length} characters`)
  const ignore = Array.from({ length: 50 }, (_, i) => `*a${'a'.repeat(280)}${i}`)
  const facts = { defaultConfig: { ...defaultConfig, ignore } }
  await ask(resolver, large)
  const longest = longestTurn()
  t.match(await ask(resolver, text, { facts }), { ok: true })
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
  const stacks = Array.from({ length: 100_000 }, (_, i) => ({ key: `s/${i}`, path: `s/${i}` }))
  const long = JSON.stringify({ graph: { repo: 'acme/infra', sha, tree_hash: 't', stacks } })
  t.match(await ask(resolver, long), { ok: true })
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
  const stacks = Array.from({ length: 60_000 }, (_, i) => ({ key: `s/${i}`, path: `s/${i}` }))
  const full = JSON.stringify({
    graph: { repo: 'acme/infra', sha, tree_hash: 't', stacks },
    changed_paths: ['svc.yml'],
  })
  await t.rejects(ask(resolver, full), { code: 'invalid', message: /more than 24 MB/ })
  t.match(await ask(resolver, large), { ok: true })
})

t.test('organisations take turns, and their repositories: who uploads much delays another by one upload', async (t) => {
  const resolver = createResolver({ ms: 300 })
  t.teardown(() => resolver.stop())
  const done: string[] = []
  const upload = (name: string, text: string, owner: Owner) =>
    ask(resolver, text, { owner }).then(
      () => done.push(name),
      () => done.push(`${name} refused`),
    )
  const all = [1, 2, 3].map((number) => upload(`slow ${number}`, slow(), [1, 1]))
  await Promise.all([
    ...all,
    upload('of another repository', large, [1, 2]),
    upload('of a third', large, [1, 3]),
    upload('other', large, [2, 4]),
    upload('another', large, [3, 5]),
  ])
  const own = ['slow 1 refused', 'of another repository', 'of a third', 'slow 2 refused', 'slow 3 refused']
  t.same(done, ['other', 'another', ...own])
})

t.test('an organisation whose uploads take long delays others by one of them, and not each time', async (t) => {
  const resolver = createResolver({ quickMs: 100 })
  t.teardown(() => resolver.stop())
  const leaving = new AbortController()
  let underWay = 16
  const all = Array.from({ length: underWay }, (_, index) =>
    ask(resolver, slow(), { owner: [1, index % 8], signal: leaving.signal }).catch(() => {
      underWay -= 1
    }),
  )
  for (let round = 0; round < 10; round += 1) t.match(await ask(resolver, large, { owner: [2, 99] }), { ok: true })
  t.ok(underWay > 13, `${16 - underWay} of theirs are done`)
  leaving.abort(new Error('left'))
  await resolver.stop()
  await Promise.all(all)
})

t.test('what waits for nobody any more is not resolved', async (t) => {
  const resolver = createResolver({ ms: 300 })
  t.teardown(() => resolver.stop())
  const first = t.rejects(ask(resolver, slow()), { code: 'invalid' })
  const leaving = new AbortController()
  const owner = { installationId: 1, repoId: 1 }
  let isAsked = false
  const left = resolver.resolve({ bytes: Buffer.from(large), owner, signal: leaving.signal }, facts, async () => {
    isAsked = true
    return undefined
  })
  leaving.abort(new Error('left'))
  await t.rejects(left, { message: 'left' })
  await first
  t.match(await ask(resolver, large), { ok: true })
  t.notOk(isAsked)
})

t.test('only so many wait of one repository', async (t) => {
  const resolver = createResolver({ ms: 300, waiting: 16 })
  t.teardown(() => resolver.stop())
  const first = t.rejects(ask(resolver, slow()), { code: 'invalid' })
  const ofOne = [1, 2].map(() => ask(resolver, large))
  await t.rejects(ask(resolver, large), { code: 'unavailable', status: 503, retryAfter: 5 }, 'an eighth of the line')
  await first
  for (const one of await Promise.all(ofOne)) t.match(one, { ok: true })
})

t.test('of a full line, the organisation with most in it gives way, and others always have a place', async (t) => {
  const resolver = createResolver({ ms: 300, waiting: 16 })
  t.teardown(() => resolver.stop())
  const first = t.rejects(ask(resolver, slow()), { code: 'invalid' })
  const outcome = (owner: Owner) =>
    ask(resolver, large, { owner }).then(
      ({ ok }) => ok,
      ({ code }) => code,
    )
  const hostile = Array.from({ length: 16 }, (_, index) => outcome([1, 10 + (index % 8)]))
  const others = [1, 2, 3].map((index) => outcome([1 + index, index]))
  const last = outcome([1, 99])
  await first
  t.same(await Promise.all(others), [true, true, true])
  t.equal(await last, true, 'in the place of a repository of its own organisation')
  t.same(await Promise.all(hostile), [...Array(12).fill(true), ...Array(4).fill('unavailable')])
})
