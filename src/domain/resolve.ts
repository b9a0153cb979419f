import { touchedBy } from './changed-paths.ts'
import { configDifferences } from './config-difference.ts'
import { spellCycle } from './cycles.ts'
import { type DefaultView, defaultView } from './default-view.ts'
import { externalStacks } from './external-stacks.ts'
import type { StackNode } from './graph.ts'
import { uploadedView } from './graph-view.ts'
import { REQUESTED, reasonsOf } from './reasons.ts'
import type { AffectedStack, Resolution, ResolveInput } from './resolution.ts'
import { requestedOf, type Schedule, schedule } from './schedule.ts'
import { isStackDirectory, stackConfig } from './stack-config.ts'
import { isOnlyByDefault, type United, unite, viaOf } from './united.ts'
import { configKeysDiffer, plannedByDefaultBranchConfig, stackRemoved, type Warning } from './warnings.ts'

export type { Resolution, ResolveInput } from './resolution.ts'

/** Deleted, for all the service knows: somebody looked, or the configuration would discover it and the scan found nothing. */
const goneOf = ({ graph, config, goneDirectories }: ResolveInput): ((path: string) => boolean) => {
  const gone = new Set(goneDirectories)
  const present = new Set(graph.stacks.map(({ path }) => path))
  return (path) => gone.has(path) || (!present.has(path) && isStackDirectory(config, path))
}

const removedStacks = ({ graph, changedPaths, defaultBranch }: ResolveInput, isGone: (path: string) => boolean) => {
  if (defaultBranch?.graph === undefined) return []
  const touched = touchedBy(changedPaths)
  const uploaded = new Set(graph.stacks.map(({ key }) => key))
  return defaultBranch.graph.stacks
    .filter(({ key, path, external }) => !external && touched.has(path) && !uploaded.has(key) && isGone(path))
    .filter(({ path }) => isStackDirectory(defaultBranch.config, path))
    .map(({ key }) => key)
    .sort()
}

/** Plan output is policy: the default branch's `summary`, in its configuration or its graph, always wins. */
const summaryOnly = ({ defaultBranch }: ResolveInput): ((stack: StackNode) => boolean) => {
  const inGraph = new Set<string>()
  for (const { key, plan_output } of defaultBranch?.graph?.stacks ?? []) if (plan_output === 'summary') inGraph.add(key)
  const config = defaultBranch?.config
  return ({ key, path }) =>
    inGraph.has(key) || (config !== undefined && stackConfig(config, path).plan_output === 'summary')
}

const describe = (
  { config }: ResolveInput,
  stack: StackNode,
  found: Pick<AffectedStack, 'wave' | 'reasons' | 'via'>,
  summary: boolean,
): AffectedStack => {
  const toolVersion = stack.tool_version ?? config.tool_version
  return {
    key: stack.key,
    path: stack.path,
    ...found,
    environment: stack.environment ?? 'default',
    tool: stack.tool ?? config.tool,
    ...(toolVersion === undefined ? {} : { tool_version: toolVersion }),
    plan_output: summary ? 'summary' : (stack.plan_output ?? config.plan.output),
    ...(stack.instance === undefined ? {} : { instance: stack.instance }),
    ...(stack.workspace === undefined ? {} : { workspace: stack.workspace }),
  }
}

const warningsOf = (found: { differing: string[]; removed: string[]; byDefault: string[] }): Warning[] => {
  const warnings: Warning[] = []
  if (found.differing.length > 0) warnings.push(configKeysDiffer(found.differing))
  if (found.byDefault.length > 0) warnings.push(plannedByDefaultBranchConfig(found.byDefault))
  if (found.removed.length > 0) warnings.push(stackRemoved(found.removed))
  return warnings
}

/** Numbers of the scheduled stacks by wave, then by key. With cycles there are no waves, and all are in the first. */
const inOrder = (united: United, { scheduled, layers, circles }: Schedule): { id: number; wave: number }[] => {
  const hasWaves = circles.length === 0
  const all: { id: number; wave: number; key: string }[] = []
  for (const [id, { key }] of united.stacks.entries())
    if (scheduled[id] === 1) all.push({ id, wave: hasWaves ? (layers[id] as number) - 1 : 0, key })
  return all.sort((a, b) => a.wave - b.wave || (a.key < b.key ? -1 : 1))
}

const viewUnderDefault = (
  input: ResolveInput,
  differing: string[],
  isGone: (path: string) => boolean,
): DefaultView | undefined => {
  const { graph, config, defaultBranch } = input
  if (defaultBranch === undefined || differing.length === 0) return undefined
  return defaultView({ graph, config, defaultConfig: defaultBranch.config, defaultGraph: defaultBranch.graph, isGone })
}

const differencesIn = ({ graph, config, defaultBranch }: ResolveInput): string[] => {
  if (defaultBranch === undefined) return []
  const stacks = [...graph.stacks, ...(defaultBranch.graph?.stacks ?? [])]
  return configDifferences(
    config,
    defaultBranch.config,
    stacks.filter(({ external }) => !external).map(({ path }) => path),
  )
}

/**
 * Which stacks a change affects, why, and in which order they run (spec, 'Resolution rules'). Pure, and near linear in nodes
 * and edges: 10,000 stacks with 50,000 edges take some tens of milliseconds (test/bench/resolve.ts).
 */
export const resolve = (input: ResolveInput): Resolution => {
  const isGone = goneOf(input)
  const differing = differencesIn(input)
  const united = unite(
    uploadedView(input.graph, input.config),
    viewUnderDefault(input, differing, isGone),
    input.changedPaths,
  )
  const requested = requestedOf(united, input.restrict)
  const order = schedule(input.graph, united, requested)
  const isSummary = summaryOnly(input)
  const affected: AffectedStack[] = []
  const ordered = inOrder(united, order)
  const count = order.circles.length > 0 ? 0 : (ordered.at(-1)?.wave ?? -1) + 1
  const waves = Array.from({ length: count }, (): string[] => [])
  const byDefault: string[] = []
  const addedStacks: StackNode[] = []
  for (const { id, wave } of ordered) {
    const stack = united.stacks[id] as StackNode
    const bits = (united.bits[id] as number) | (requested === undefined ? 0 : REQUESTED)
    const found = { wave, reasons: reasonsOf(bits), via: viaOf(united, id) }
    affected.push(describe(input, stack, found, isSummary(stack)))
    waves[wave]?.push(stack.key)
    if (isOnlyByDefault(united, id)) byDefault.push(stack.key)
    if (id >= input.graph.stacks.length) addedStacks.push(stack)
  }
  return {
    affected,
    waves,
    warnings: warningsOf({ differing, byDefault: byDefault.sort(), removed: removedStacks(input, isGone) }),
    cycles: order.circles.map((members) => spellCycle(order.index, members, order.scheduled)).sort(),
    external: externalStacks(order.index, order.scheduled),
    addedStacks,
    addedEdges: [...order.addedEdges],
    unknown: requested?.unknown ?? [],
  }
}
