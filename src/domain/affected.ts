import { touchedBy } from './changed-paths.ts'
import { compileGlobs } from './glob.ts'
import * as edge from './graph-index.ts'
import type { GraphView } from './graph-view.ts'
import { CHANGED, DEPENDENT, MODULE, READS_STATE } from './reasons.ts'
import { seedAffected } from './seeds.ts'

export type Affected = {
  /** Reasons of each node as bits; 0: not affected. */
  bits: Uint8Array
  /** For a module with MODULE: the changed module that this came from, the nearest of several; else -1. */
  origin: Int32Array
}

/**
 * Carries the first reasons on to what depends on them. A module hands to its users what it has; a stack makes its readers
 * and dependents affected. Each stack is visited once, and each module once per reason it gains, so the cost is linear.
 */
const spread = ({ stacks, into, size }: edge.GraphIndex, { bits, origin }: Affected): void => {
  const queue: number[] = []
  for (let n = 0; n < size; n += 1) if (bits[n] !== 0) queue.push(n)
  for (let at = 0; at < queue.length; at += 1) {
    const node = queue[at] as number
    const isModule = node >= stacks.length
    const carried = (bits[node] as number) & (MODULE | READS_STATE | DEPENDENT)
    for (let e = into.start[node] as number; e < (into.start[node + 1] as number); e += 1) {
      const type = into.type[e] as number
      const user = into.node[e] as number
      if ((type === edge.USES_MODULE) !== isModule || user === node) continue
      const before = bits[user] as number
      const after = before | (isModule ? carried : type === edge.READS_STATE ? READS_STATE : DEPENDENT)
      if (after === before) continue
      bits[user] = after
      if (isModule && user >= stacks.length && origin[user] === -1) origin[user] = origin[node] as number
      if (before === 0 || user >= stacks.length) queue.push(user)
    }
  }
}

/**
 * What a change touches: paths, and stacks by key, which no `ignore` leaves out: by what the configuration says of them, or
 * because they were applied in another repository.
 */
export type Change = { paths: readonly string[]; changed: ReadonlySet<string> }

/** Which nodes a change affects under one configuration, and why. */
export const affectedUnder = (view: GraphView, { paths: all, changed }: Change): Affected => {
  const ignored = view.config.ignore.length === 0 ? undefined : compileGlobs(view.config.ignore)
  const paths = ignored === undefined ? all : all.filter((path) => !ignored(path))
  const affected = { bits: new Uint8Array(view.index.size), origin: new Int32Array(view.index.size).fill(-1) }
  seedAffected(view, paths, touchedBy(paths), affected)
  for (const key of changed) {
    const stack = view.index.stackIds.get(key)
    if (stack !== undefined) affected.bits[stack] = (affected.bits[stack] as number) | CHANGED
  }
  spread(view.index, affected)
  return affected
}

/** Keys of what made a stack affected: changed modules that it uses, affected stacks that it reads or depends on. */
export const causesOf = (index: edge.GraphIndex, { bits, origin }: Affected, stack: number): string[] => {
  const { stacks, out } = index
  const causes: string[] = []
  for (let e = out.start[stack] as number; e < (out.start[stack + 1] as number); e += 1) {
    const target = out.node[e] as number
    const had = bits[target] as number
    const isModule = target >= stacks.length
    if (had === 0 || target === stack || isModule !== (out.type[e] === edge.USES_MODULE)) continue
    if (isModule && (had & MODULE) !== 0) causes.push(edge.keyOf(index, origin[target] as number))
    if (!isModule || (had & (READS_STATE | DEPENDENT)) !== 0) causes.push(edge.keyOf(index, target))
  }
  return causes
}
