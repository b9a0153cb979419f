import type { StackVariant } from '#domain/config/stack-variants.ts'
import type { Edge, StackNode } from '#domain/graph/graph.ts'
import { type DependencyPart, dependsOnEdges } from './edges/depends-on.ts'
import type { ListedStack, Listing } from './listing.ts'
import type { KeptState } from './state/effective-backend.ts'
import type { Warn } from './warning.ts'

/** What a listing says, by directory. */
export type Listed = {
  paths: readonly string[]
  /** Names of the instances that it lists of a directory. */
  instances: (path: string) => string[]
  /** What it says of one stack: of its instance, else of its directory. */
  of: (stack: { path: string; instance?: string | undefined }) => ListedStack | undefined
}

/** What `config.found_by` of a stack says that a command lists. */
export const FOUND_BY_COMMAND = 'discover.command'

export const listedStacks = (listing: Listing | undefined): Listed => {
  const byPath = new Map<string, Map<string, ListedStack>>()
  for (const stack of listing?.stacks ?? []) {
    const known = byPath.get(stack.path) ?? new Map<string, ListedStack>()
    known.set(stack.instance ?? '', stack)
    byPath.set(stack.path, known)
  }
  return {
    paths: [...byPath.keys()],
    instances: (path) => [...(byPath.get(path)?.keys() ?? [])].filter((name) => name !== ''),
    of: ({ path, instance }) => byPath.get(path)?.get(instance ?? '') ?? byPath.get(path)?.get(''),
  }
}

/** A stack with what a listing says of it: svc.yml wins over the listing, and the listing over the scan. */
export const withListed = (variant: StackVariant, listed: ListedStack | undefined): StackVariant => {
  if (listed === undefined) return variant
  const workspace = variant.workspace ?? listed.workspace
  const version = variant.tool_version ?? listed.tool_version
  return {
    ...variant,
    ...(workspace === undefined ? {} : { workspace }),
    ...(version === undefined ? {} : { tool_version: version }),
    tool: listed.tool ?? variant.tool,
    watch_paths: [...variant.watch_paths, ...listed.watch_paths],
  }
}

/** The state that a listing names, to be matched with what others read. */
export const listedState = ({ backend }: ListedStack): KeptState | undefined => {
  if (backend === undefined) return undefined
  const { type, bucket = '', key } = backend
  return { backend, ...(key === undefined ? {} : { identity: `${type}\0${bucket}\0${key}` }) }
}

const push = (map: Map<string, string[]>, name: string, value: string): void => {
  const values = map.get(name)
  if (values === undefined) map.set(name, [value])
  else values.push(value)
}

/** Edges that a listing makes. They are the generator's word, as code is, and not the configuration's. */
export const listedEdges = (
  listing: Listing | undefined,
  listed: Listed,
  nodes: readonly StackNode[],
  repo: string,
  warn: Warn,
): DependencyPart => {
  const found: DependencyPart = { stacks: [], edges: [] }
  if (listing === undefined) return found
  const wanted = { depends_on: new Map<string, string[]>(), reads_state: new Map<string, string[]>() }
  const add = (type: keyof typeof wanted, from: string, to: readonly string[]): void => {
    for (const one of to) push(wanted[type], from, one)
  }
  const byName = new Map<string, string[]>()
  for (const node of nodes) {
    for (const name of new Set([node.key, node.path])) push(byName, name, node.key)
    const { depends_on: after = [] } = listed.of(node) ?? {}
    if (after.length > 0) add('depends_on', node.key, after)
  }
  for (const { from, to, type } of listing.edges) {
    const keys = byName.get(from) ?? []
    if (keys.length === 0)
      warn({ code: 'dependency_unknown', message: `discover.command lists an edge from ${from}, which is not a stack` })
    for (const key of keys) add(type, key, [to])
  }
  for (const type of ['depends_on', 'reads_state'] as const) {
    const asked = nodes.map((node) => ({ ...node, config: { depends_on: wanted[type].get(node.key) ?? [] } }))
    const { stacks, edges } = dependsOnEdges(asked, repo, warn)
    found.stacks.push(...stacks)
    found.edges.push(
      ...edges.filter(({ from, to }) => from.key !== to.key).map((edge): Edge => ({ ...edge, type, inferred: true })),
    )
  }
  return found
}
