import t from 'tap'
import type { Graph } from '#domain/graph/graph.ts'
import { resolve } from '#domain/resolution/resolve.ts'
import { config } from '#test/domain/graph/graph-of.ts'
import { randomGraph } from '#test/domain/graph/random-graph.ts'
import { random } from '#test/helpers/random.ts'

/*
 * Random graphs, resolved here with sets and maps in the plainest way, and compared. Small graphs with many edges: cycles,
 * left-out stacks and modules meet in every combination. Seeded: a failure can be reproduced.
 */

const affectedModel = (graph: Graph, changed: Set<string>): Set<string> => {
  const affected = new Set(changed)
  for (let size = -1; size !== affected.size; ) {
    size = affected.size
    for (const { from, to } of graph.edges) if (affected.has(to.key)) affected.add(from.key)
  }
  return affected
}

/** What a scheduled stack must wait for: scheduled stacks reached without passing another one. */
const waitsFor = (graph: Graph, scheduled: Set<string>, key: string): Set<string> => {
  const found = new Set<string>()
  const seen = new Set<string>()
  const queue = [key]
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const { from, to, type } of graph.edges) {
      if (from.key !== at || type === 'uses_module') continue
      if (scheduled.has(to.key)) found.add(to.key)
      else if (!seen.has(to.key)) {
        seen.add(to.key)
        queue.push(to.key)
      }
    }
  }
  return found
}

/** Waves by repeatedly removing what waits for nothing that is left; undefined if something always waits. */
const wavesModel = (graph: Graph, scheduled: Set<string>): string[][] | undefined => {
  const waits = new Map([...scheduled].map((key) => [key, waitsFor(graph, scheduled, key)]))
  const waves: string[][] = []
  const left = new Set(scheduled)
  while (left.size > 0) {
    const wave = [...left].filter((key) => ![...(waits.get(key) ?? [])].some((other) => left.has(other))).sort()
    if (wave.length === 0) return undefined
    waves.push(wave)
    for (const key of wave) left.delete(key)
  }
  return waves
}

const isCycle = (graph: Graph, spelled: string): boolean => {
  const way = spelled.split(' → ')
  const steps = way.slice(1).map((to, i) => graph.edges.some((edge) => edge.from.key === way[i] && edge.to.key === to))
  return way.length > 1 && way[0] === way.at(-1) && steps.every(Boolean) && new Set(way).size === way.length - 1
}

t.test('resolution agrees with a plain model on random graphs', async (t) => {
  let cyclic = 0
  for (let seed = 1; seed <= 2000; seed += 1) {
    const pick = random(seed)
    const graph = randomGraph(pick)
    const nodes = [...graph.stacks, ...graph.modules].map(({ key }) => key)
    const changed = new Set(Array.from({ length: pick(3) }, () => nodes[pick(nodes.length)] as string))
    const restrict = pick(2) === 0 ? graph.stacks.map(({ key }) => key).filter(() => pick(2) === 0) : []
    const affected = affectedModel(graph, changed)
    const scheduled = new Set(
      graph.stacks
        .map(({ key }) => key)
        .filter((key) => (restrict.length > 0 ? restrict : [...affected]).includes(key)),
    )
    const waves = wavesModel(graph, scheduled)
    const result = resolve({ graph, changedPaths: [...changed].map((key) => `${key}/f`), config: config(), restrict })
    const found = result.affected.map(({ key, reasons }) => `${key} ${reasons.some((one) => one !== 'requested')}`)
    const same = (expected: unknown, actual: unknown): boolean => JSON.stringify(expected) === JSON.stringify(actual)
    const right =
      same([...scheduled].map((key) => `${key} ${affected.has(key)}`).sort(), found.sort()) &&
      same(waves ?? [], result.waves) &&
      (waves === undefined) === result.cycles.length > 0 &&
      result.cycles.every((cycle) => isCycle(graph, cycle))
    if (!right) {
      t.fail(`seed ${seed}`, { graph, changed: [...changed], restrict, affected: [...affected], waves, result })
      return
    }
    if (waves === undefined) cyclic += 1
  }
  t.ok(cyclic > 100 && cyclic < 1900, `with and without cycles (${cyclic} of 2000 with)`)
})
