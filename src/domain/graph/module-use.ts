import { formatQualifiedKey, parseQualifiedKey } from '../keys.ts'
import { homeOf, refPrecedence, splitPin } from '../module-version.ts'
import type { Steps } from '../steps.ts'
import type { Edge, ModuleNode } from './graph.ts'

/** A module family as a graph has it. */
export type ModuleFamily = { key: string; kind: ModuleNode['kind']; source?: string; repo?: string; path: string }

/** A stack that uses a family, directly or through other modules, at a ref. */
export type ModuleUse = { stack: string; family: string; ref: string; precedence?: string }

/** Of a graph, what tells which of its stacks use which modules: each edge is a use, at a ref if it says one. */
export type ModuleGraph = {
  stacks: { key: string; external?: boolean | null }[]
  modules: ModuleNode[]
  edges: (Pick<Edge, 'from' | 'to'> & { ref?: string | null })[]
}

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

type Use = { to: string; ref: string | null | undefined }

function* usesBy({ edges }: ModuleGraph): Steps<Map<string, Use[]>> {
  const out = new Map<string, Use[]>()
  for (const { from, to, ref } of edges) {
    const name = `${from.kind} ${from.key}`
    const use = { to: to.key, ref }
    const known = out.get(name)
    if (known) known.push(use)
    else out.set(name, [use])
    yield
  }
  return out
}

/** All uses reached from a stack, through modules too. */
const reached = (out: Map<string, Use[]>, stack: string): Use[] => {
  const seen = new Set<string>()
  const uses: Use[] = []
  const open = [...(out.get(`stack ${stack}`) ?? [])]
  for (let use = open.pop(); use !== undefined; use = open.pop()) {
    uses.push(use)
    if (seen.has(use.to)) continue
    seen.add(use.to)
    for (const next of out.get(`module ${use.to}`) ?? []) open.push(next)
  }
  return uses
}

/** The families of a graph and the stacks that use them; `repo` is the graph's own repository. 6,000 stacks take some 40 ms. */
export function* modulesOfGraph(graph: ModuleGraph, repo: string): Steps<ModulesOfGraph> {
  const nodes = new Map(graph.modules.map((node) => [node.key, familyOf(node, repo)]))
  const families = new Map([...nodes.values()].map(({ ref: _, ...family }) => [family.key, family]))
  const out = yield* usesBy(graph)
  const uses = new Map<string, ModuleUse>()
  for (const { key: stack, external } of graph.stacks) {
    if (external === true) continue
    for (const used of reached(out, stack)) {
      const family = nodes.get(used.to)
      if (!family) continue
      const ref = used.ref ?? family.ref ?? ''
      const precedence = ref === '' ? undefined : refPrecedence(family.path, ref)
      const use = { stack, family: family.key, ref, ...(precedence === undefined ? {} : { precedence }) }
      uses.set(`${stack}\0${family.key}\0${ref}`, use)
    }
    yield
  }
  return { families: [...families.values()], uses: [...uses.values()] }
}
