import { DEPENDS_ON, type GraphIndex, READS_STATE, USES_MODULE } from './graph-index.ts'

export type OrderInput = {
  index: GraphIndex
  /** 1 for each stack that gets a wave. The others are passed through: with B left out of A → B → C, C still comes before A. */
  scheduled: Uint8Array
  /** 1 for each node to walk. Those left out must not be on a way from one scheduled stack to another. */
  within: Uint8Array
}

export type Order = {
  /** One more than the stack's wave for a scheduled stack, which is how many waves there are up to it. */
  layers: Int32Array
  /** Groups of nodes that depend on each other in a circle, each with a scheduled stack in it. Layers mean nothing then. */
  circles: number[][]
}

type Walk = OrderInput &
  Order & {
    found: Int32Array
    low: Int32Array
    next: Uint32Array
    open: Uint8Array
    path: Uint32Array
    stack: Uint32Array
    counter: number
    depth: number
    top: number
  }

/**
 * Whether an edge orders. A module orders only what goes through it to a stack, so edges to modules count only where there is
 * such a module; and a stack that reads its own state waits for nobody.
 */
export const isOrdering = ({ out, throughModules }: GraphIndex, from: number, edge: number): boolean => {
  const type = out.type[edge]
  return (type !== USES_MODULE || throughModules) && (type !== READS_STATE || out.node[edge] !== from)
}

const enter = (walk: Walk, node: number): void => {
  walk.counter += 1
  walk.found[node] = walk.counter
  walk.low[node] = walk.counter
  walk.next[node] = walk.index.out.start[node] as number
  walk.open[node] = 1
  walk.stack[walk.top++] = node
  walk.path[walk.depth++] = node
}

/** Two stacks that depend on each other, or one that depends on itself. Modules that use each other are no circle. */
const isCircle = ({ stacks, out }: GraphIndex, members: Uint32Array): boolean => {
  let count = 0
  for (const node of members) {
    if (node >= stacks.length) continue
    count += 1
    for (let e = out.start[node] as number; e < (out.start[node + 1] as number); e += 1) {
      if (out.node[e] === node && out.type[e] === DEPENDS_ON) return true
    }
  }
  return count > 1
}

/** Takes a finished component off the stack and gives it its layer: one more than the deepest that it depends on. */
const close = (walk: Walk, root: number): void => {
  const first = walk.stack.lastIndexOf(root, walk.top - 1)
  const members = walk.stack.subarray(first, walk.top)
  let deepest = 0
  let holds = 0
  for (const node of members) {
    deepest = Math.max(deepest, walk.layers[node] as number)
    holds |= walk.scheduled[node] as number
  }
  for (const node of members) {
    walk.layers[node] = deepest + holds
    walk.open[node] = 0
  }
  if (holds === 1 && isCircle(walk.index, members)) walk.circles.push([...members])
  walk.top = first
}

/** What a node learns from one that it depends on and that has been walked. */
const learn = ({ low, open, layers }: Walk, node: number, from: number): void => {
  if (open[from] === 1) low[node] = Math.min(low[node] as number, low[from] as number)
  layers[node] = Math.max(layers[node] as number, layers[from] as number)
}

const walkFrom = (walk: Walk, start: number): void => {
  const { index, found, low, next, path, within } = walk
  const { out } = index
  enter(walk, start)
  while (walk.depth > 0) {
    const node = path[walk.depth - 1] as number
    const edge = next[node] as number
    if (edge < (out.start[node + 1] as number)) {
      next[node] = edge + 1
      const to = out.node[edge] as number
      if (within[to] === 0 || !isOrdering(index, node, edge)) continue
      if (found[to] === 0) enter(walk, to)
      else learn(walk, node, to)
      continue
    }
    walk.depth -= 1
    if (low[node] === found[node]) close(walk, node)
    if (walk.depth > 0) learn(walk, path[walk.depth - 1] as number, node)
  }
}

/**
 * Layers of the longest path over the scheduled stacks, in one depth-first walk that closes each strongly connected component
 * after all that it depends on (Tarjan). Iterative, since a chain of 10,000 stacks would be as deep a recursion.
 */
export const orderOf = (input: OrderInput): Order => {
  const { size, stacks } = input.index
  const walk: Walk = {
    ...input,
    layers: new Int32Array(size),
    circles: [],
    found: new Int32Array(size),
    low: new Int32Array(size),
    next: new Uint32Array(size),
    open: new Uint8Array(size),
    path: new Uint32Array(size),
    stack: new Uint32Array(size),
    counter: 0,
    depth: 0,
    top: 0,
  }
  for (let start = 0; start < stacks.length; start += 1) {
    if (input.scheduled[start] === 1 && walk.found[start] === 0) walkFrom(walk, start)
  }
  return { layers: walk.layers, circles: walk.circles }
}
