import { parseRepoConfig, type RepoConfig } from '#domain/config/config-file.ts'
import type { Edge, Graph, ModuleNode, StackNode } from '#domain/graph/graph.ts'
import { parseStackKey } from '#domain/keys.ts'
import { type Resolution, type ResolveInput, resolve } from '#domain/resolution/resolve.ts'

type Stack = Partial<Omit<StackNode, 'key'>> & { depends?: string[]; reads?: string[]; uses?: string[] }
type Module = Partial<Omit<ModuleNode, 'key'>> & { reads?: string[]; uses?: string[] }

const REPO = 'acme/infra'

const edges = (
  kind: 'stack' | 'module',
  key: string,
  { depends = [], reads = [], uses = [] }: Pick<Stack, 'depends' | 'reads' | 'uses'>,
): Edge[] => [
  ...depends.map((to): Edge => ({ from: { kind, key }, to: { kind: 'stack', key: to }, type: 'depends_on' })),
  ...reads.map((to): Edge => ({ from: { kind, key }, to: { kind: 'stack', key: to }, type: 'reads_state' })),
  ...uses.map((to): Edge => ({ from: { kind, key }, to: { kind: 'module', key: to }, type: 'uses_module' })),
]

/** A graph of stacks by key, each with the keys that it depends on, reads the state of and uses; module keys as local paths. */
export const graphOf = (stacks: Record<string, Stack>, modules: Record<string, Module> = {}): Graph => ({
  repo: REPO,
  sha: 'a'.repeat(40),
  tree_hash: 't',
  stacks: Object.entries(stacks).map(([key, { depends: _d, reads: _r, uses: _u, ...rest }]) => ({
    key,
    ...parseStackKey(key),
    ...rest,
  })),
  modules: Object.entries(modules).map(([key, { reads: _r, uses: _u, ...rest }]) => ({
    key,
    kind: 'local' as const,
    path: key,
    ...rest,
  })),
  edges: [
    ...Object.entries(stacks).flatMap(([key, stack]) => edges('stack', key, stack)),
    ...Object.entries(modules).flatMap(([key, module]) => edges('module', key, module)),
  ],
})

/** A configuration from the body of its file; `version: 1` is added. */
export const config = (yaml = ''): RepoConfig => {
  const parsed = parseRepoConfig(`version: 1\n${yaml}`)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.config
}

export const resolved = (graph: Graph, changedPaths: string[], rest: Partial<ResolveInput> = {}): Resolution =>
  resolve({ graph, changedPaths, config: config(), ...rest })

/** `key: reasons via keys` of each affected stack. */
export const why = ({ affected }: Resolution): string[] =>
  affected.map(
    ({ key, reasons, via }) => `${key}: ${reasons.join(' ')}${via.length > 0 ? ` via ${via.join(' ')}` : ''}`,
  )

export const keys = ({ affected }: Resolution): string[] => affected.map(({ key }) => key).sort()
