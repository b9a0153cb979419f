import type { StackNode } from '#domain/graph/graph.ts'
import { type Affected, affectedUnder, type Change, causesOf } from './affected.ts'
import type { ConfiguredGraph } from './configured-graph.ts'
import type { DefaultView } from './default-view.ts'

type Side<V extends ConfiguredGraph> = { view: V; affected: Affected }

/** The affected sets of one or two configurations as one. */
export type MergedAffected = {
  uploaded: Side<ConfiguredGraph>
  byDefault: Side<DefaultView> | undefined
  /** The uploaded graph's stacks, then those that only the default branch's configuration discovers. */
  stacks: readonly StackNode[]
  /** Reasons of each stack under either configuration. */
  bits: Uint8Array
}

const idUnderDefault = ({ byDefault, stacks }: MergedAffected, id: number): number | undefined =>
  byDefault?.view.index.stackIds.get(stacks[id]?.key ?? '')

export const mergeAffected = (
  uploaded: ConfiguredGraph,
  byDefault: DefaultView | undefined,
  change: Change,
): MergedAffected => {
  const first = { view: uploaded, affected: affectedUnder(uploaded, change) }
  const own = uploaded.index.stacks
  if (byDefault === undefined)
    return { uploaded: first, byDefault, stacks: own, bits: first.affected.bits.subarray(0, own.length) }
  const second = { view: byDefault, affected: affectedUnder(byDefault, change) }
  const stacks = [...own, ...byDefault.hidden]
  const merged = { uploaded: first, byDefault: second, stacks, bits: new Uint8Array(stacks.length) }
  for (const id of stacks.keys()) {
    const under = idUnderDefault(merged, id)
    const more = under === undefined ? 0 : (second.affected.bits[under] ?? 0)
    merged.bits[id] = (id < own.length ? (first.affected.bits[id] ?? 0) : 0) | more
  }
  return merged
}

/** Whether a stack is affected only under the default branch's configuration, not under the uploaded one. */
export const isOnlyByDefault = ({ uploaded, bits }: MergedAffected, id: number): boolean =>
  bits[id] !== 0 && (id >= uploaded.view.index.stacks.length || uploaded.affected.bits[id] === 0)

/** Keys of what caused a stack to be affected, under either configuration, sorted. */
export const viaOf = (merged: MergedAffected, id: number): string[] => {
  const { uploaded, byDefault } = merged
  const own = id < uploaded.view.index.stacks.length ? causesOf(uploaded.view.index, uploaded.affected, id) : []
  const under = idUnderDefault(merged, id)
  const more =
    byDefault === undefined || under === undefined ? [] : causesOf(byDefault.view.index, byDefault.affected, under)
  const all = more.length === 0 ? own : [...own, ...more]
  return all.length < 2 ? all : all.sort().filter((key, i) => key !== all[i - 1])
}
