import { stackConfig } from '#domain/config/stack-config.ts'
import { externalStacks } from '#domain/graph/external-stacks.ts'
import type { StackNode } from '#domain/graph/graph.ts'
import { keptToSummary } from '#domain/plan-output.ts'
import { configKeysDiffer, plannedByDefaultBranchConfig, stackRemoved, type Warning } from '#domain/texts/warnings.ts'
import type { Change } from './affected.ts'
import { configDifferences } from './config-difference.ts'
import { configuredGraph } from './configured-graph.ts'
import { spellCycle } from './cycles.ts'
import { type DefaultView, defaultView } from './default-view.ts'
import { goneOf, removedStacks } from './gone.ts'
import { isOnlyByDefault, type MergedAffected, mergeAffected, viaOf } from './merged-affected.ts'
import { REQUESTED, reasonsOf } from './reasons.ts'
import { reconfiguredStacks } from './reconfigured.ts'
import type { AffectedStack, Resolution, ResolveInput } from './resolution.ts'
import { requestedOf, type WaveOrder, waveOrder } from './wave-order.ts'

export type { Resolution, ResolveInput } from './resolution.ts'

/** Plan output is policy: the default branch's `summary`, in its configuration or its graph, always wins. */
const summaryOnly = ({ defaultBranch }: ResolveInput): ((stack: StackNode) => boolean) => {
  const inGraph = new Set<string>()
  for (const { key, plan_output } of defaultBranch?.graph?.stacks ?? []) if (plan_output === 'summary') inGraph.add(key)
  const inConfig = defaultBranch === undefined ? () => false : keptToSummary(defaultBranch.config)
  return ({ key, path }) => inGraph.has(key) || inConfig(path)
}

const describe = (
  { config }: ResolveInput,
  stack: StackNode,
  { wave, reasons, via, summary }: Pick<AffectedStack, 'wave' | 'reasons' | 'via'> & { summary: boolean },
): AffectedStack => {
  const affected: AffectedStack = {
    key: stack.key,
    path: stack.path,
    wave,
    reasons,
    via,
    environment: stack.environment ?? 'default',
    tool: stack.tool ?? config.tool,
    plan_output: summary ? 'summary' : (stack.plan_output ?? config.plan.output),
  }
  const toolVersion = stack.tool_version ?? config.tool_version
  if (toolVersion !== undefined) affected.tool_version = toolVersion
  if (stack.instance !== undefined) affected.instance = stack.instance
  if (stack.workspace !== undefined) affected.workspace = stack.workspace
  const labels = stackConfig(config, stack.path).runs_on
  if (labels !== undefined) affected.runs_on = labels
  return affected
}

type Found = { differing: string[]; reconfigured: string[]; removed: string[]; byDefault: string[] }

const warningsOf = (found: Found): Warning[] => {
  const warnings: Warning[] = []
  if (found.differing.length > 0) warnings.push(configKeysDiffer(found.differing, found.reconfigured))
  if (found.byDefault.length > 0) warnings.push(plannedByDefaultBranchConfig(found.byDefault))
  if (found.removed.length > 0) warnings.push(stackRemoved(found.removed))
  return warnings
}

/**
 * Numbers of the scheduled stacks by wave, each wave sorted by key. With cycles there are no waves, and all are in one list.
 */
const inOrder = ({ stacks }: MergedAffected, { scheduled, waveOf, cycles }: WaveOrder): number[][] => {
  const waves: number[][] = []
  for (let id = 0; id < stacks.length; id += 1) {
    if (scheduled[id] !== 1) continue
    const wave = cycles.length > 0 ? 0 : waveOf(id)
    while (waves.length <= wave) waves.push([])
    waves[wave]?.push(id)
  }
  const key = (id: number): string => stacks[id]?.key ?? ''
  for (const wave of waves) wave.sort((a, b) => (key(a) < key(b) ? -1 : 1))
  return waves
}

const viewUnderDefault = (
  input: ResolveInput,
  differing: string[],
  isGone: (stack: StackNode) => boolean,
): DefaultView | undefined => {
  const { graph, config, defaultBranch } = input
  if (defaultBranch === undefined || differing.length === 0) return undefined
  return defaultView({ graph, config, defaultConfig: defaultBranch.config, defaultGraph: defaultBranch.graph, isGone })
}

const directoriesOf = ({ graph, defaultBranch }: ResolveInput): string[] =>
  [...graph.stacks, ...(defaultBranch?.graph?.stacks ?? [])].filter(({ external }) => !external).map(({ path }) => path)

/** What a change affects, before it is put in order. */
export type Judged = {
  isGone: ReturnType<typeof goneOf>
  /** Keys of svc.yml that differ from the default branch's. */
  differing: string[]
  /** Stacks whose settings the change alters. */
  reconfigured: Set<string>
  change: Change
  merged: MergedAffected
}

/** Keys of svc.yml that differ from the default branch's. Only where some do, more is asked of its graph than its outline has. */
export const differingKeys = (input: ResolveInput): string[] => {
  const { config, defaultBranch } = input
  return defaultBranch === undefined ? [] : configDifferences(config, defaultBranch.config, () => directoriesOf(input))
}

/** Judges a change under the uploaded configuration and, where that differs, under the default branch's. */
export const judgeChange = (input: ResolveInput): Judged => {
  const { graph, config } = input
  const isGone = goneOf(input)
  const differing = differingKeys(input)
  const reconfigured = differing.length === 0 ? new Set<string>() : reconfiguredStacks(input)
  const change = { paths: input.changedPaths, changed: new Set([...reconfigured, ...(input.changedStacks ?? [])]) }
  const merged = mergeAffected(configuredGraph(graph, config), viewUnderDefault(input, differing, isGone), change)
  return { isGone, differing, reconfigured, change, merged }
}

/**
 * Resolves which stacks a change affects, why, and in which order they run (docs/interface.md, 'Resolution rules'). Pure, and
 * near linear in nodes and edges: 10,000 stacks with 50,000 edges take some tens of milliseconds (test/bench/resolve.ts).
 */
export const resolve = (input: ResolveInput): Resolution => {
  const { graph } = input
  const { isGone, differing, reconfigured, merged } = judgeChange(input)
  const requested = requestedOf(merged, input.restrict)
  const order = waveOrder(graph, merged, requested)
  const isSummary = summaryOnly(input)
  const affected: AffectedStack[] = []
  const byDefault: string[] = []
  const addedStacks: StackNode[] = []
  const waves = inOrder(merged, order)
  for (const [wave, ids] of waves.entries()) {
    for (const id of ids) {
      const stack = merged.stacks[id]
      if (stack === undefined) continue
      const reasons = reasonsOf((merged.bits[id] ?? 0) | (requested === undefined ? 0 : REQUESTED))
      affected.push(describe(input, stack, { wave, reasons, via: viaOf(merged, id), summary: isSummary(stack) }))
      if (isOnlyByDefault(merged, id)) byDefault.push(stack.key)
      if (id >= graph.stacks.length) addedStacks.push(stack)
    }
  }
  const found = {
    differing,
    reconfigured: affected.flatMap(({ key }) => (reconfigured.has(key) ? key : [])).sort(),
    removed: removedStacks(input, merged.uploaded.view.index, isGone),
    byDefault: byDefault.sort(),
  }
  return {
    affected,
    waves: order.cycles.length > 0 ? [] : waves.map((ids) => ids.map((id) => merged.stacks[id]?.key ?? '')),
    warnings: warningsOf(found),
    cycles: order.cycles.map((members) => spellCycle(order.index, members, order.scheduled)).sort(),
    external: externalStacks(order.index, order.scheduled),
    addedStacks,
    addedEdges: [...order.addedEdges],
    unknown: requested?.unknown ?? [],
  }
}
