import { formatQualifiedKey, parseQualifiedKey } from '../keys.ts'
import { homeOf, refPrecedence, splitPin } from '../module-version.ts'
import type { Graph, ModuleNode } from './graph.ts'

/** A module family as a graph has it. */
export type ModuleFamily = { key: string; kind: ModuleNode['kind']; source?: string; repo?: string; path: string }

/** A stack that uses a family, directly or through other modules, at a ref. */
export type ModuleUse = { stack: string; family: string; ref: string; precedence?: string }

export type ModulesOfGraph = { families: ModuleFamily[]; uses: ModuleUse[] }

/**
 * A graph decides only for its own repository which modules are local: modules of other repositories are used remotely. A local
 * key that names no repository belongs to the graph's own: two repositories may each have a `modules/vpc`.
 */
const identityOf = ({ key, kind }: ModuleNode, repo: string): Pick<ModuleNode, 'key' | 'kind'> => {
  if (kind !== 'local') return { key, kind }
  const home = parseQualifiedKey(key)?.repo
  if (home === undefined) return { key: formatQualifiedKey(repo, key), kind }
  return { key, kind: home.toLowerCase() === repo.toLowerCase() ? 'local' : 'git' }
}

const familyOf = (node: ModuleNode, repo: string): ModuleFamily & { ref?: string } => {
  const { key, kind } = identityOf(node, repo)
  const { family, ref } = splitPin(key, kind)
  const home = kind === 'registry' ? undefined : homeOf(family)
  return {
    key: family,
    kind,
    ...(node.source === undefined ? {} : { source: node.source }),
    ...(home === undefined ? {} : { repo: home.repo }),
    path: home?.path ?? '',
    ...(ref === undefined ? {} : { ref }),
  }
}

type Edge = { to: string; ref: string | undefined }

const usesBy = (graph: Pick<Graph, 'edges'>): Map<string, Edge[]> => {
  const out = new Map<string, Edge[]>()
  for (const { from, to, type, meta } of graph.edges) {
    if (type !== 'uses_module') continue
    const name = `${from.kind} ${from.key}`
    const edge = { to: to.key, ref: meta?.ref }
    const known = out.get(name)
    if (known) known.push(edge)
    else out.set(name, [edge])
  }
  return out
}

/** All edges reached from a stack, through modules too. */
const reached = (out: Map<string, Edge[]>, stack: string): Edge[] => {
  const seen = new Set<string>()
  const edges: Edge[] = []
  const open = [...(out.get(`stack ${stack}`) ?? [])]
  for (let edge = open.pop(); edge !== undefined; edge = open.pop()) {
    edges.push(edge)
    if (seen.has(edge.to)) continue
    seen.add(edge.to)
    for (const next of out.get(`module ${edge.to}`) ?? []) open.push(next)
  }
  return edges
}

/** The families of a graph and the stacks that use them; `repo` is the graph's own repository. */
export const modulesOfGraph = (graph: Pick<Graph, 'stacks' | 'modules' | 'edges'>, repo: string): ModulesOfGraph => {
  const nodes = new Map(graph.modules.map((node) => [node.key, familyOf(node, repo)]))
  const families = new Map([...nodes.values()].map(({ ref: _, ...family }) => [family.key, family]))
  const out = usesBy(graph)
  const uses = new Map<string, ModuleUse>()
  for (const { key: stack, external } of graph.stacks) {
    if (external === true) continue
    for (const edge of reached(out, stack)) {
      const family = nodes.get(edge.to)
      if (!family) continue
      const ref = edge.ref ?? family.ref ?? ''
      const precedence = ref === '' ? undefined : refPrecedence(family.path, ref)
      const use = { stack, family: family.key, ref, ...(precedence === undefined ? {} : { precedence }) }
      uses.set(`${stack}\0${family.key}\0${ref}`, use)
    }
  }
  return { families: [...families.values()], uses: [...uses.values()] }
}
