import type { GraphIndex } from '#domain/graph/graph-index.ts'

export type OrderInput = {
  index: GraphIndex
  /** 1 for each stack that gets a wave. The others are passed through: with B left out of A → B → C, C still comes before A. */
  scheduled: Uint8Array
  /** 1 for each node to walk. A node left out must not be on a way from one scheduled stack to another. */
  within: Uint8Array
}

export type Order = {
  /** The wave of a scheduled stack, from 0. Meaningless if there are cycles. */
  waveOf: (stack: number) => number
  /** Groups of nodes that depend on each other in a cycle, each containing a scheduled stack. */
  cycles: number[][]
}

/** A node on the way from the walk's start to its current position. */
type Step = {
  node: number
  /** How many nodes had been visited when it was found. */
  found: number
  /** `found` of the earliest node of the same component that is known to be reachable from here. */
  low: number
  /** How many scheduled stacks are on the longest way from here, as walked so far. */
  layer: number
  /** Whether it is a stack that depends on itself, or its component contains one, as walked so far. */
  dependsOnItself: boolean
  /** The next of its edges to walk, and their end. */
  edge: number
  end: number
}

type Walk = OrderInput & {
  way: Step[]
  visits: number
  /** Per node; 0 before it is visited. */
  found: Uint32Array
  /** Nodes whose component is not closed yet, in the order found; and 1 for each of them. */
  open: number[]
  isOpen: Uint8Array
  /** Per node, once its component is closed. */
  layers: Uint32Array
  cycles: number[][]
}

/**
 * Whether an edge imposes an order. A module orders only what reaches a stack through it, so edges to modules count only if
 * such a module exists; a stack that reads its own state waits for nobody.
 */
export const isOrdering = ({ out, throughModules }: GraphIndex, from: number, edge: number): boolean => {
  const type = out.typeAt(edge)
  return (type !== 'uses_module' || throughModules) && (type !== 'reads_state' || out.nodeAt(edge) !== from)
}

const enter = (walk: Walk, node: number): void => {
  walk.visits += 1
  const { index, way, open, isOpen, visits: found } = walk
  const { first: edge, end } = index.out.edgesOf(node)
  way.push({ node, found, low: found, layer: 0, dependsOnItself: false, edge, end })
  open.push(node)
  isOpen[node] = 1
  walk.found[node] = found
}

/** Continues along an edge, or takes over the result of the node at its end if that was visited before. */
const follow = (walk: Walk, step: Step, edge: number): void => {
  const { index, within, found, isOpen, layers } = walk
  const to = index.out.nodeAt(edge)
  if (to === step.node) step.dependsOnItself ||= to < index.stacks.length && index.out.typeAt(edge) === 'depends_on'
  else if (within[to] === 0 || !isOrdering(index, step.node, edge)) return
  else if (found[to] === 0) enter(walk, to)
  else if (isOpen[to] === 1) step.low = Math.min(step.low, found[to] ?? 0)
  else step.layer = Math.max(step.layer, layers[to] ?? 0)
}

/** Modules that use each other are not a cycle. Most components are a single node, and no list is made for those. */
const haveTwoStacks = (members: readonly number[], { stacks }: GraphIndex): boolean =>
  members.length > 1 && members.filter((node) => node < stacks.length).length > 1

/**
 * Closes the component that the step began, which has been walked completely: it is a layer above the deepest that it depends
 * on.
 */
const close = ({ index, scheduled, open, isOpen, layers, cycles }: Walk, step: Step): void => {
  // most components are a single node, whose list is cheaper than a part of another list
  const isAlone = open.at(-1) === step.node
  const members = isAlone ? [step.node] : open.splice(open.lastIndexOf(step.node))
  if (isAlone) open.pop()
  const isScheduled = members.some((node) => scheduled[node] === 1)
  if (isScheduled) step.layer += 1
  for (const node of members) {
    layers[node] = step.layer
    isOpen[node] = 0
  }
  if (isScheduled && (step.dependsOnItself || haveTwoStacks(members, index))) cycles.push(members)
}

const walkFrom = (walk: Walk, start: number): void => {
  const { way } = walk
  enter(walk, start)
  for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
    if (step.edge < step.end) {
      step.edge += 1
      follow(walk, step, step.edge - 1)
      continue
    }
    way.pop()
    const before = way.at(-1)
    if (step.low === step.found) close(walk, step)
    else if (before !== undefined) {
      before.low = Math.min(before.low, step.low)
      before.dependsOnItself ||= step.dependsOnItself
    }
    if (before !== undefined) before.layer = Math.max(before.layer, step.layer)
  }
}

/**
 * Layers of the longest path over the scheduled stacks, in one depth-first walk that closes each strongly connected component
 * after everything that it depends on (Tarjan). Iterative, since a chain of 10,000 stacks would make the recursion as deep.
 */
export const orderOf = (input: OrderInput): Order => {
  const { size, stacks } = input.index
  const walk: Walk = {
    ...input,
    way: [],
    visits: 0,
    found: new Uint32Array(size),
    open: [],
    isOpen: new Uint8Array(size),
    layers: new Uint32Array(size),
    cycles: [],
  }
  for (let stack = 0; stack < stacks.length; stack += 1) {
    if (input.scheduled[stack] === 1 && walk.found[stack] === 0) walkFrom(walk, stack)
  }
  return { waveOf: (stack) => (walk.layers[stack] ?? 1) - 1, cycles: walk.cycles }
}
