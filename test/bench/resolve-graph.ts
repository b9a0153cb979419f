import type { Edge, Graph } from '#domain/graph/graph.ts'

/** Pseudo-random numbers below a bound, the same each time. */
const generator = () => {
  let state = 42
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const LAYERS = 10
const EDGES_PER_STACK = 5
const MODULES_PER_STACK = 1

const stackPath = (i: number): string => `teams/team-${i % 97}/environments/stack-${String(i).padStart(5, '0')}`
const modulePath = (i: number): string => `modules/family-${i % 11}/module-${i}`

/** A stack's edges: modules, and stacks of the layer before, near its own place, as the stacks of one team are. */
const edgesOf = (i: number, stacks: number, modules: number, pick: (below: number) => number): Edge[] => {
  const from = { kind: 'stack', key: stackPath(i) } as const
  const width = stacks / LAYERS
  const [layer, place] = [Math.floor(i / width), i % width]
  const uses = new Set<number>()
  const needs = new Set<number>()
  const ownModules = layer === 0 ? EDGES_PER_STACK : MODULES_PER_STACK
  while (uses.size < ownModules) uses.add(pick(modules))
  while (uses.size + needs.size < EDGES_PER_STACK)
    needs.add((layer - 1) * width + ((place + pick(13) - 6 + width) % width))
  const used = [...uses].map((module): Edge => {
    const source = `../../../../${modulePath(module)}`
    return {
      from,
      to: { kind: 'module', key: `acme/infra//${modulePath(module)}` },
      type: 'uses_module',
      meta: { source },
    }
  })
  const needed = [...needs].map((stack): Edge => {
    const type = pick(3) === 0 ? 'reads_state' : 'depends_on'
    return { from, to: { kind: 'stack', key: stackPath(stack) }, type, inferred: type === 'reads_state' }
  })
  return [...used, ...needed]
}

/** A graph of ten layers with five edges a stack, and changed paths in its stacks and in one module. */
export const makeGraph = (stacks: number, changes: number): { graph: Graph; changedPaths: string[] } => {
  const pick = generator()
  const modules = stacks / 25
  const graph: Graph = {
    repo: 'acme/infra',
    sha: 'a'.repeat(40),
    tree_hash: 'a'.repeat(40),
    stacks: Array.from({ length: stacks }, (_, i) => ({
      key: stackPath(i),
      path: stackPath(i),
      backend: { type: 's3', bucket: 'acme-state', key: `${stackPath(i)}/terraform.tfstate`, region: 'eu-west-1' },
      environment: 'production',
      tool: 'terraform' as const,
      tool_version: '1.11.4',
      watch_paths: [`config/team-${i % 97}.tfvars`],
    })),
    modules: Array.from({ length: modules }, (_, i) => ({
      key: `acme/infra//${modulePath(i)}`,
      kind: 'local' as const,
      path: modulePath(i),
    })),
    edges: Array.from({ length: stacks }, (_, i) => edgesOf(i, stacks, modules, pick)).flat(),
  }
  const changedPaths = Array.from({ length: changes - 1 }, () => `${stackPath(pick(stacks))}/main.tf`)
  return { graph, changedPaths: [...changedPaths, `${modulePath(pick(modules))}/main.tf`] }
}
