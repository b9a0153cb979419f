import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Graph as DagreGraph } from '@dagrejs/graphlib'
import { DepGraph } from 'dependency-graph'
import { DirectedGraph } from 'graphology'
import { defaultConfig } from '#domain/config/config-file.ts'
import type { Graph } from '#domain/graph/graph.ts'
import { resolve } from '#domain/resolution/resolve.ts'
import { type Answer, floor, seedsOf } from './resolve-floor.ts'
import { makeGraph } from './resolve-graph.ts'

/*
 * Milliseconds from a parsed graph to waves: 10,000 stacks, 50,000 edges, 50 changed paths. The libraries index the graph
 * with their own structures, close it with their own look-ups, and layer it with plain code over those; a cycle would make
 * each throw. Ours does all that, and also reasons, causes, both configurations, watched files and external stacks.
 */

const STACKS = 10_000
const CHANGES = 50
const REPEATS = 3

type Neighbours = { users: (node: string) => string[]; needs: (node: string) => string[] }

const closure = (seeds: string[], { users }: Neighbours): Set<string> => {
  const affected = new Set(seeds)
  for (const node of affected) for (const user of users(node)) affected.add(user)
  return affected
}

/** Layers of the affected stacks, by Kahn's algorithm over any function for neighbours. */
const layers = (affected: Set<string>, modules: Set<string>, { users, needs }: Neighbours): Answer => {
  const waits = new Map<string, number>()
  const layer = new Map<string, number>()
  const ready: string[] = []
  for (const node of affected) {
    const count = needs(node).filter((other) => affected.has(other)).length
    waits.set(node, count)
    if (count === 0) ready.push(node)
  }
  const waves: string[][] = []
  for (let at = 0; at < ready.length; at++) {
    const node = ready[at]!
    const mine = layer.get(node) ?? 0
    const step = modules.has(node) ? 0 : 1
    if (step === 1) {
      waves[mine] ??= []
      waves[mine]!.push(node)
    }
    for (const user of users(node)) {
      layer.set(user, Math.max(layer.get(user) ?? 0, mine + step))
      const left = waits.get(user)! - 1
      waits.set(user, left)
      if (left === 0) ready.push(user)
    }
  }
  if (ready.length < affected.size) throw new Error('the graph has a cycle')
  for (const wave of waves) wave.sort()
  return { affected: waves.flat().length, waves }
}

const answer = (
  graph: Graph,
  changedPaths: string[],
  has: (node: string) => boolean,
  neighbours: Neighbours,
): Answer => {
  const find = (path: string) => [path, `${graph.repo}//${path}`].find(has)
  const affected = closure(seedsOf(changedPaths, find), neighbours)
  return layers(affected, new Set(graph.modules.map(({ key }) => key)), neighbours)
}

const nodesOf = (graph: Graph): string[] => [...graph.stacks, ...graph.modules].map(({ key }) => key)

const withGraphology = (graph: Graph, changedPaths: string[]): Answer => {
  const indexed = new DirectedGraph()
  for (const node of nodesOf(graph)) indexed.addNode(node)
  for (const { from, to } of graph.edges) indexed.addDirectedEdge(from.key, to.key)
  return answer(graph, changedPaths, (node) => indexed.hasNode(node), {
    users: (node) => indexed.inNeighbors(node),
    needs: (node) => indexed.outNeighbors(node),
  })
}

const withGraphlib = (graph: Graph, changedPaths: string[]): Answer => {
  const indexed = new DagreGraph({ directed: true })
  for (const node of nodesOf(graph)) indexed.setNode(node)
  for (const { from, to } of graph.edges) indexed.setEdge(from.key, to.key)
  return answer(graph, changedPaths, (node) => indexed.hasNode(node), {
    users: (node) => indexed.predecessors(node) ?? [],
    needs: (node) => indexed.successors(node) ?? [],
  })
}

const withDependencyGraph = (graph: Graph, changedPaths: string[]): Answer => {
  const indexed = new DepGraph<undefined>()
  for (const node of nodesOf(graph)) indexed.addNode(node)
  for (const { from, to } of graph.edges) indexed.addDependency(from.key, to.key)
  return answer(graph, changedPaths, (node) => indexed.hasNode(node), {
    users: (node) => indexed.directDependantsOf(node),
    needs: (node) => indexed.directDependenciesOf(node),
  })
}

const ours = (graph: Graph, changedPaths: string[]): Answer => {
  const { affected, waves, cycles } = resolve({
    graph,
    changedPaths,
    config: defaultConfig,
    defaultBranch: { config: defaultConfig, graph: undefined },
  })
  if (cycles.length > 0) throw new Error('the graph has a cycle')
  return { affected: affected.length, waves }
}

let body = ''
let changedPaths: string[] = []
let expected = ''

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/**
 * Each run gets a freshly parsed graph, since strings that were looked up before are faster to look up again. Its 13 MB are
 * collected before the clock starts: moving them (10 to 30 ms) is the parser's cost, and would hit whichever contender fills
 * the young generation.
 */
const timed = (contender: (graph: Graph, changedPaths: string[]) => Answer) => (): number => {
  let total = 0
  for (let i = 0; i < REPEATS; i++) {
    const graph: Graph = JSON.parse(body)
    collect()
    const before = performance.now()
    const found = contender(graph, changedPaths)
    total += performance.now() - before
    if (JSON.stringify(found) !== expected) throw new Error('an answer differs from the floor')
  }
  return total / REPEATS
}

export default {
  name: 'resolve',
  unit: 'ms',
  about:
    'From a parsed graph of 10,000 stacks and 50,000 edges to waves; against a floor of typed arrays, and libraries for graphs.',
  ours: 'svc',
  setup: () => {
    const made = makeGraph(STACKS, CHANGES)
    body = JSON.stringify(made.graph)
    changedPaths = made.changedPaths
    const first = floor(made.graph, changedPaths)
    expected = JSON.stringify(first)
    const edges = made.graph.edges.length
    console.error(`${STACKS} stacks, ${edges} edges: ${first.affected} affected, ${first.waves.length} waves`)
  },
  contenders: {
    svc: timed(ours),
    'typed-array floor': timed(floor),
    'dependency-graph': timed(withDependencyGraph),
    graphology: timed(withGraphology),
    '@dagrejs/graphlib': timed(withGraphlib),
  },
}
