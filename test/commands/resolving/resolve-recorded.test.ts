import t from 'tap'
import { createResolver } from '#commands/resolving/resolver.ts'
import { defaultConfig } from '#domain/config/config-file.ts'
import { longestTurn } from '#test/helpers/longest-turn.ts'

const sha = 'a'.repeat(40)

/** Keys of stacks in a row, each with its wave, as they are listed. */
const listedWaves = (count: number) => Array.from({ length: count }, (_, i) => [`s/${i}`, i])

/** A graph as it is recorded, of so many stacks in a row. */
const graphOf = (count: number, key = (i: number) => `s/${i}`) => {
  const node = (i: number) => ({ kind: 'stack', key: key(i) })
  const stacks = Array.from({ length: count }, (_, i) => ({ key: key(i), path: key(i) }))
  const edges = stacks.slice(1).map((_, i) => ({ from: node(i + 1), to: node(i), type: 'depends_on' }))
  return JSON.stringify({ repo: 'acme/infra', sha, tree_hash: 't', stacks, modules: [], edges })
}

const repository = { id: 7, installation_id: 1 }

t.test('a recorded graph is put in order, small or large', async (t) => {
  const resolver = createResolver()
  t.teardown(() => resolver.stop())
  for (const count of [3, 2500]) {
    const recorded = { graph: graphOf(count), config: defaultConfig }
    const all = await resolver.resolveRecorded(repository, recorded, { all: true })
    t.same(all.ok && all.stacks.map(({ key, wave }) => [key, wave]), listedWaves(count))
    const named = await resolver.resolveRecorded(repository, recorded, { keys: ['s/2', 's/9999'] })
    t.match(named, { ok: true, stacks: [], unknown: ['s/9999'] })
    const below = await resolver.resolveRecorded(repository, recorded, { changedStacks: ['s/1'] })
    t.match(below, { ok: true, stacks: [] })
  }
})

t.test('a recorded graph whose svc.yml takes too long is refused, and holds nobody up', async (t) => {
  const resolver = createResolver({ quickMs: 100, ms: 200 })
  t.teardown(() => resolver.stop())
  const stacks = Array.from({ length: 400 }, (_, i) => ({ match: `*${'a'.repeat(280)}${i}` }))
  const recorded = { graph: graphOf(100, (i) => `${'a'.repeat(900)}${i}`), config: { ...defaultConfig, stacks } }
  await resolver.resolveRecorded(repository, { graph: graphOf(200), config: defaultConfig }, { all: true })
  const longest = longestTurn()
  const refused = await resolver.resolveRecorded(repository, recorded, { all: true })
  const ms = longest()
  t.match(refused, { ok: false, reason: /takes more than 0.2 s to match/ })
  t.ok(ms < 50, `${Math.round(ms)} ms`)
})
