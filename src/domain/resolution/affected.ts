import { compileGlobs } from '#domain/config/glob.ts'
import { type GraphIndex, keyOf } from '#domain/graph/graph-index.ts'
import { touchedBy } from './changed-paths.ts'
import type { ConfiguredGraph } from './configured-graph.ts'
import { directlyAffected } from './directly-affected.ts'
import { CHANGED, DEPENDENT, MODULE, mark, READS_STATE } from './reasons.ts'

export type Affected = {
  /** Reasons of each node as bits; 0 if it is not affected. */
  bits: Uint8Array
  /** For each module with MODULE, the changed module that it came from, the nearest of several. */
  origins: Map<number, number>
}

/**
 * Spreads the first reasons to everything that depends on them. A module passes what it has on to its users; a stack makes its
 * readers and dependents affected. Each stack is visited once, and each module once per reason it gains, so the cost is linear.
 */
const spread = ({ stacks, into }: GraphIndex, { bits, origins }: Affected): void => {
  const queue: number[] = []
  for (let node = 0; node < bits.length; node += 1) if (bits[node] !== 0) queue.push(node)
  // grows during the loop
  for (const node of queue) {
    const isModule = node >= stacks.length
    const carried = (bits[node] ?? 0) & (MODULE | READS_STATE | DEPENDENT)
    const origin = isModule ? origins.get(node) : undefined
    const { first, end } = into.edgesOf(node)
    for (let edge = first; edge < end; edge += 1) {
      const user = into.nodeAt(edge)
      const type = into.typeAt(edge)
      if ((type === 'uses_module') !== isModule || user === node) continue
      const before = bits[user] ?? 0
      const after = before | (isModule ? carried : type === 'reads_state' ? READS_STATE : DEPENDENT)
      if (after === before) continue
      bits[user] = after
      if (origin !== undefined && user >= stacks.length && !origins.has(user)) origins.set(user, origin)
      if (before === 0 || user >= stacks.length) queue.push(user)
    }
  }
}

/**
 * What a change touches: paths, and stacks by key, which no `ignore` leaves out. Such a stack changed because its settings did,
 * or because it was applied in another repository.
 */
export type Change = { paths: readonly string[]; changed: ReadonlySet<string> }

/** The nodes that a change affects under one configuration, and why. */
export const affectedUnder = (view: ConfiguredGraph, { paths: all, changed }: Change): Affected => {
  const ignored = view.config.ignore.length === 0 ? undefined : compileGlobs(view.config.ignore)
  const paths = ignored === undefined ? all : all.filter((path) => !ignored(path))
  const affected: Affected = { bits: new Uint8Array(view.index.size), origins: new Map() }
  directlyAffected(view, paths, touchedBy(paths), affected)
  for (const key of changed) {
    const stack = view.index.stackIds.get(key)
    if (stack !== undefined) mark(affected.bits, stack, CHANGED)
  }
  spread(view.index, affected)
  return affected
}

/** Keys of what made a stack affected: changed modules that it uses, affected stacks that it reads or depends on. */
export const causesOf = (index: GraphIndex, { bits, origins }: Affected, stack: number): string[] => {
  const causes: string[] = []
  const { out } = index
  const { first, end } = out.edgesOf(stack)
  for (let edge = first; edge < end; edge += 1) {
    const node = out.nodeAt(edge)
    const had = bits[node] ?? 0
    const isModule = node >= index.stacks.length
    if (had === 0 || node === stack || isModule !== (out.typeAt(edge) === 'uses_module')) continue
    if (isModule && (had & MODULE) !== 0) causes.push(keyOf(index, origins.get(node) ?? node))
    if (!isModule || (had & (READS_STATE | DEPENDENT)) !== 0) causes.push(keyOf(index, node))
  }
  return causes
}
