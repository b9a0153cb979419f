import type { ConfiguredGraph } from '../resolution/configured-graph.ts'
import { isOnlyByDefault } from '../resolution/merged-affected.ts'
import { type Reason, reasonsOf } from '../resolution/reasons.ts'
import type { ResolveInput } from '../resolution/resolution.ts'
import { type Judged, judgeChange } from '../resolution/resolve.ts'
import { type ChangedAt, changedAt } from './changed-at.ts'
import type { Cause, Explanation } from './explanation.ts'
import { fatesOf } from './fates.ts'
import { followedBy } from './follows.ts'
import { stepOf, type Ways, wayFrom, waysTo } from './ways.ts'

/** Files that a cause names; the total says how many there are. */
const FILES = 10

type Found = { changes: Map<number, ChangedAt>; ways: Ways }

const filesOf = (files: readonly string[]): Pick<Cause, 'files' | 'total'> => {
  const all = [...new Set(files)]
  return { files: all.slice(0, FILES), total: all.length }
}

/** What changed of a node itself: its files, what it watches, its settings. */
const ownCauses = (change: ChangedAt, reason: Reason): Cause[] => [
  ...(change.own.length > 0 ? [{ reason, ...filesOf(change.own), steps: [] }] : []),
  ...(change.settings ? [{ reason, files: ['svc.yml'], total: 1, settings: true as const, steps: [] }] : []),
  ...change.watched.map(({ by, paths }) => ({
    ...{ reason: 'watch_path' as const, ...filesOf(paths()), watched: by, steps: [] },
  })),
]

/** Why the edges of a way make the stack at its beginning affected: modules pass on what they have. */
const reasonOf = (types: readonly string[]): Reason => {
  const first = types.find((type) => type !== 'uses_module')
  if (first === undefined) return 'module'
  return first === 'reads_state' ? 'reads_state' : 'dependent'
}

/** For each thing that a stack uses, reads or depends on: the nearest change behind it. */
const causesBeyond = ({ index, edges }: ConfiguredGraph, { changes, ways }: Found, stack: number): Cause[] => {
  const causes: Cause[] = []
  const seen = new Set<number>()
  const { first, end } = index.out.edgesOf(stack)
  for (let edge = first; edge < end; edge += 1) {
    const node = index.out.nodeAt(edge)
    const type = index.out.typeAt(edge)
    const isModule = node >= index.stacks.length
    if (node === stack || seen.has(node) || isModule !== (type === 'uses_module')) continue
    seen.add(node)
    if (!changes.has(node) && !ways.has(node)) continue
    const way = changes.has(node) ? [{ node }] : wayFrom(ways, node, stack)
    const last = way?.at(-1)
    const change = last === undefined ? undefined : changes.get(last.node)
    if (way === undefined || change === undefined) continue
    const types = [type, ...way.flatMap((one) => ('type' in one && one.type !== undefined ? [one.type] : []))]
    const nodes = [stack, ...way.map((one) => one.node)]
    const steps = types.map((each, i) => stepOf(index, nodes[i] ?? 0, nodes[i + 1] ?? 0, each, edges))
    const [cause] = ownCauses(change, reasonOf(types))
    if (cause !== undefined) causes.push({ ...cause, reason: reasonOf(types), steps })
  }
  return causes
}

const explainUnder = (view: ConfiguredGraph, found: Found, stack: number): Cause[] => {
  const change = found.changes.get(stack)
  return [...(change === undefined ? [] : ownCauses(change, 'changed')), ...causesBeyond(view, found, stack)]
}

/** Explains stacks of one change: what is worked out once serves all of them. */
export type Explainer = (key: string) => Explanation | undefined

const foundUnder = (view: ConfiguredGraph, { change }: Judged): Found => {
  const changes = changedAt(view, change)
  return { changes, ways: waysTo(view.index, changes.keys()) }
}

/**
 * Why a change affects a stack, or why not, by the same rules as resolution (docs/interface.md, 'Resolution rules'); undefined
 * for a stack that neither the graph nor the default branch has. Linear in nodes and edges for all stacks together.
 */
export const explainer = (input: ResolveInput): Explainer => {
  const judged = judgeChange(input)
  const { merged } = judged
  const { view } = merged.uploaded
  const uploaded = foundUnder(view, judged)
  const byDefault = merged.byDefault && foundUnder(merged.byDefault.view, judged)
  const ids = new Map(merged.stacks.map(({ key }, id) => [key, id]))
  return (key) => {
    const id = ids.get(key)
    if (id === undefined) return undefined
    const reasons = reasonsOf(merged.bits[id] ?? 0)
    const total = input.changedPaths.length
    if (reasons.length === 0)
      return {
        ...{ stack: key, affected: false, reasons, causes: [] },
        ...{ changed: fatesOf(view, uploaded.changes, input.changedPaths), changed_total: total },
        follows: followedBy(view, id),
      }
    const isHidden = isOnlyByDefault(merged, id)
    const under = merged.byDefault?.view.index.stackIds.get(key)
    const causes =
      isHidden && merged.byDefault !== undefined && byDefault !== undefined && under !== undefined
        ? explainUnder(merged.byDefault.view, byDefault, under)
        : explainUnder(view, uploaded, id)
    const hidden = isHidden ? { by_default_branch: true as const } : {}
    return { stack: key, affected: true, reasons, causes, ...hidden, changed_total: total }
  }
}
