import type { Edge, ModuleNode } from '#domain/graph/graph.ts'
import { formatQualifiedKey, pathFrom } from '#domain/keys.ts'
import { textOf } from '../../hcl/evaluate.ts'
import { noNames, type Scope } from '../../hcl/traverse.ts'
import type { Directories, ToolName } from '../facts/directories.ts'
import type { At } from '../facts/directory-facts.ts'
import type { ModuleCall } from '../facts/file-facts.ts'
import { anySetting, scopeOf } from '../state/scope.ts'
import type { Warn } from '../warning.ts'
import { moduleSource, withoutUser } from './module-source.ts'

/** A module that a directory uses: its node, and how it is called. */
export type Use = {
  module: ModuleNode
  ref?: string
  /** Its directory if it is in the repository, and the path that leads there, which may be through links. */
  directory?: string
  written?: string
  /** The code of a Terragrunt unit, which is run and not called: its inputs set its variables. */
  isOfUnit?: true
  call: ModuleCall & At
}

export type ModuleUses = (directory: string, tool: ToolName) => readonly Use[]

type Context = {
  repo: string
  codehost: string
  directories: Directories
  /** Whether a directory is a submodule's, whose files are not read. */
  isForeign: (directory: string) => boolean
  warn: Warn
}

const localUse = (call: ModuleCall & At, directory: string, source: string, context: Context): Use | undefined => {
  const written = pathFrom(directory, source)
  const { file, line, column } = call
  const at = { file, line, column }
  if (written === undefined) {
    const message = `${file}:${line}: module '${call.name}' leads out of the repository: ${source}`
    context.warn({ code: 'module_missing', message, ...at })
    return undefined
  }
  const path = context.directories.real(written)
  if (!context.directories.has(path) && !context.isForeign(path))
    context.warn({
      code: 'module_missing',
      message: `${file}:${line}: module '${call.name}': there is no configuration in ${path}`,
      ...at,
    })
  return {
    module: { key: formatQualifiedKey(context.repo, path), kind: 'local', path },
    directory: path,
    written,
    call,
  }
}

const useOf = (call: ModuleCall & At, directory: string, scope: Scope, context: Context): Use | undefined => {
  const { file, line, column } = call
  const at = { file, line, column }
  const source = textOf(call.arguments.source, scope)
  if (source === undefined) {
    const message = `${file}:${line}: the source of module '${call.name}' is missing, or cannot be known before a run`
    context.warn({ code: 'module_unresolved', message, ...at })
    return undefined
  }
  const found = moduleSource(source, context.codehost)
  if (found.kind === 'local') return localUse(call, directory, found.path, context)
  if (found.kind === 'unsupported') {
    const message = `${file}:${line}: module '${call.name}': releases of ${withoutUser(source)} are not followed, as it is neither a path, git nor a registry`
    context.warn({ code: 'module_unsupported', message, ...at })
    return undefined
  }
  const ref = found.kind === 'git' ? found.ref : textOf(call.arguments.version, noNames)
  const module: ModuleNode = { key: found.family, kind: found.kind, source: found.source }
  return { module, call, ...(ref === undefined ? {} : { ref }) }
}

/** The modules that each directory uses directly. */
export const moduleUses = (context: Context): ModuleUses => {
  const known = new Map<string, Use[]>()
  return (directory, tool) => {
    const key = `${tool} ${directory}`
    const before = known.get(key)
    if (before !== undefined) return before
    const facts = context.directories.facts(directory, tool)
    const scope = scopeOf(facts, anySetting)
    const uses = facts.modules.flatMap((call) => useOf(call, directory, scope, context) ?? [])
    known.set(key, uses)
    return uses
  }
}

/** Edges to the modules that a stack or module uses, one for each version asked for. */
export const usesModuleEdges = (from: Edge['from'], uses: readonly Use[]): Edge[] => {
  const edges = new Map<string, Edge>()
  for (const { module, ref, call } of uses) {
    const source = textOf(call.arguments.source, noNames)
    const meta = {
      ...(ref === undefined ? {} : { ref }),
      ...(source === undefined ? {} : { source: withoutUser(source) }),
    }
    const key = `${module.key}\0${ref ?? ''}`
    if (!edges.has(key)) edges.set(key, { from, to: { kind: 'module', key: module.key }, type: 'uses_module', meta })
  }
  return [...edges.values()]
}

export type ModulePart = { modules: ModuleNode[]; edges: Edge[] }

/**
 * All modules that stacks reach, also through local modules, and the edges between modules. A repository that uses its own module
 * both by path and by git has one node for it, the local one: a change of the module is seen there.
 */
export const reachedModules = (roots: readonly { path: string; tool: ToolName }[], uses: ModuleUses): ModulePart => {
  const nodes = new Map<string, ModuleNode>()
  const edges = new Map<string, Edge>()
  const seen = new Set<string>()
  const queue = roots.map(({ path, tool }) => ({ directory: path, tool, from: undefined as string | undefined }))
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const { directory, tool, from } = next
    if (seen.has(`${tool} ${from ?? ''} ${directory}`)) continue
    seen.add(`${tool} ${from ?? ''} ${directory}`)
    const own = uses(directory, tool)
    for (const { module, directory: below } of own) {
      if (module.kind === 'local' || !nodes.has(module.key)) nodes.set(module.key, module)
      if (below !== undefined) queue.push({ directory: below, tool, from: module.key })
    }
    if (from === undefined) continue
    for (const edge of usesModuleEdges({ kind: 'module', key: from }, own))
      edges.set(`${from}\0${edge.to.key}\0${edge.meta?.ref ?? ''}`, edge)
  }
  return { modules: [...nodes.values()], edges: [...edges.values()] }
}
