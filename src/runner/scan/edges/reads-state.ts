import { relative } from 'node:path/posix'
import type { StackVariant } from '#domain/config/stack-variants.ts'
import type { Edge } from '#domain/graph/graph.ts'
import { evaluate, textOf } from '../../hcl/evaluate.ts'
import type { Scope } from '../../hcl/traverse.ts'
import type { Partly } from '../../hcl/value.ts'
import type { Directories } from '../facts/directories.ts'
import type { At } from '../facts/directory-facts.ts'
import type { RemoteState } from '../facts/file-facts.ts'
import { scopeOf } from '../state/scope.ts'
import { isComparable, type StateLocation, stateLocation } from '../state/state-location.ts'
import type { Warn } from '../warning.ts'
import type { ModuleUses, Use } from './module-edges.ts'

/** A state that a stack reads, wherever it is kept. */
export type ReadState = { location: StateLocation; state: RemoteState & At }

type Context = { directories: Directories; uses: ModuleUses; warn: Warn }

const isFields = (value: Partly): value is { readonly [name: string]: Partly } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A module's settings as its caller gives them. A given argument hides the variable's default, even with an unknown value. */
const moduleScope = (
  use: Use,
  caller: Scope,
  root: string,
  context: Context,
  workspace: string,
  tool: StackVariant['tool'],
) => {
  const directory = use.directory ?? ''
  return scopeOf(context.directories.facts(directory, tool), {
    input: (name) => {
      const expression = Object.hasOwn(use.call.arguments, name) ? use.call.arguments[name] : undefined
      return expression === undefined ? undefined : { value: evaluate(expression, caller) }
    },
    workspace,
    modulePath: relative(root, directory),
  })
}

/** Directories that read a state themselves or through a module. Only these few are searched, stack by stack. */
const readers = ({ directories, uses }: Context) => {
  const known = new Map<string, boolean>()
  const reads = (directory: string, tool: StackVariant['tool']): boolean => {
    const key = `${tool} ${directory}`
    const before = known.get(key)
    if (before !== undefined) return before
    known.set(key, false)
    const found =
      directories.facts(directory, tool).remoteStates.length > 0 ||
      uses(directory, tool).some((use) => use.directory !== undefined && reads(use.directory, tool))
    known.set(key, found)
    return found
  }
  return reads
}

const locate = (
  state: RemoteState & At,
  scope: Scope,
  variant: StackVariant,
  warn: Warn,
): StateLocation | undefined => {
  const unknown = (what: string): undefined => {
    const { file, line, column, name } = state
    const message = `${file}:${line}: terraform_remote_state '${name}': ${what}, so it is not known whose state it reads`
    warn({ code: 'remote_state_unresolved', message, file, line, column, stacks: [variant.key] })
  }
  const type = textOf(state.fields.backend, scope)
  if (type === undefined) return unknown('its backend cannot be known before a run')
  if (!isComparable(type)) return unknown(`states of backend ${type} are not compared`)
  const given = state.fields.workspace
  const workspace = given === undefined ? 'default' : textOf(given, scope)
  if (workspace === undefined) return unknown('its workspace cannot be known before a run')
  const config = state.fields.config === undefined ? {} : evaluate(state.fields.config, scope)
  if (!isFields(config)) return unknown('its config cannot be known before a run')
  const location = stateLocation(type, config, { workspace, directory: variant.path })
  return location.unresolved.length === 0
    ? location
    : unknown(`${location.unresolved.join(', ')} cannot be known before a run`)
}

/** Finds the states that stacks read: with their own `terraform_remote_state` and with those of the local modules they use. */
export const stateReader = (context: Context) => {
  const reads = readers(context)
  return (variant: StackVariant, rootScope: Scope): ReadState[] => {
    const found: ReadState[] = []
    const visit = (directory: string, scope: Scope, above: readonly string[]): void => {
      if (above.includes(directory) || !reads(directory, variant.tool)) return
      for (const state of context.directories.facts(directory, variant.tool).remoteStates) {
        const location = locate(state, scope, variant, context.warn)
        if (location !== undefined) found.push({ location, state })
      }
      for (const use of context.uses(directory, variant.tool)) {
        if (use.directory === undefined) continue
        const inside = moduleScope(use, scope, variant.path, context, variant.workspace ?? 'default', variant.tool)
        visit(use.directory, inside, [...above, directory])
      }
    }
    visit(variant.path, rootScope, [])
    return found
  }
}

/** Edges from the readers of states to the stacks that keep them, matched by place. A state that no stack here keeps has none. */
export const readsStateEdges = (
  reading: ReadonlyMap<string, readonly ReadState[]>,
  keepers: ReadonlyMap<string, readonly string[]>,
): Edge[] => {
  const edges: Edge[] = []
  for (const [from, states] of reading) {
    const to = new Map<string, StateLocation>()
    for (const { location } of states)
      for (const key of location.identity === undefined ? [] : (keepers.get(location.identity) ?? []))
        if (key !== from) to.set(key, location)
    for (const [key, { backend }] of to) {
      edges.push({
        from: { kind: 'stack', key: from },
        to: { kind: 'stack', key },
        type: 'reads_state',
        inferred: true,
        meta: { ...(backend.bucket === undefined ? {} : { bucket: backend.bucket }), key: backend.key ?? '' },
      })
    }
  }
  return edges
}
