import type { StackVariant } from '#domain/config/stack-variants.ts'
import type { Edge } from '#domain/graph/graph.ts'
import { evaluate, textOf } from '../../hcl/evaluate.ts'
import type { Scope } from '../../hcl/traverse.ts'
import { isObject } from '../../hcl/value.ts'
import type { Directories } from '../facts/directories.ts'
import type { At } from '../facts/directory-facts.ts'
import type { RemoteState } from '../facts/file-facts.ts'
import { type Fields, isComparable, type StateLocation, stateLocation } from '../state/state-location.ts'
import type { ScanWarning } from '../warning.ts'
import { MOST_CALLS, MOST_NESTED, moduleCalls } from './module-calls.ts'
import type { ModuleUses } from './module-edges.ts'

/** A state that a stack reads, wherever it is kept. */
export type ReadState = { location: StateLocation; state: RemoteState & At }

/** What a stack reads, and why some of it is not known. */
export type Reading = { states: ReadState[]; unknown: ScanWarning[] }

type Context = { directories: Directories; uses: ModuleUses }

type Named = { type: string; config: Fields; workspace: string }

/** What `terraform_remote_state` names, or why that cannot be known. */
const namedByRemoteState = ({ fields }: RemoteState, scope: Scope): Named | string => {
  const type = textOf(fields.backend, scope)
  if (type === undefined) return 'its backend cannot be known before a run'
  if (!isComparable(type)) return `states of backend ${type} are not compared`
  const workspace = fields.workspace === undefined ? 'default' : textOf(fields.workspace, scope)
  if (workspace === undefined) return 'its workspace cannot be known before a run'
  const config = fields.config === undefined ? {} : evaluate(fields.config, scope)
  return isObject(config) ? { type, config, workspace } : 'its config cannot be known before a run'
}

/**
 * What `tfe_outputs` names: a workspace of HCP Terraform, as `workspaces { name }` of a cloud block does. Without an organization
 * its provider's is meant, which the environment may give.
 */
const namedByOutputs = ({ fields }: RemoteState, scope: Scope): Named | string => {
  const organization = textOf(fields.organization, scope)
  const name = textOf(fields.workspace, scope)
  if (organization === undefined) return 'its organization cannot be known before a run'
  if (name === undefined) return 'its workspace cannot be known before a run'
  return { type: 'remote', config: { organization, workspaces: { name } }, workspace: 'default' }
}

const locate = (state: RemoteState & At, scope: Scope, { path }: StackVariant): StateLocation | string => {
  const named = state.kind === 'tfe_outputs' ? namedByOutputs(state, scope) : namedByRemoteState(state, scope)
  if (typeof named === 'string') return named
  const { type, config, workspace } = named
  const location = stateLocation(type, config, { workspace, directory: path })
  if (location.unresolved.length === 0) return location
  return `${location.unresolved.join(', ')} cannot be known before a run`
}

const unknownState = ({ kind, file, line, column, name }: RemoteState & At, why: string, key: string): ScanWarning => ({
  code: 'remote_state_unresolved',
  message: `${file}:${line}: ${kind} '${name}': ${why}, so it is not known whose state it reads`,
  ...{ file, line, column },
  stacks: [key],
})

const notFollowed = ({ key, path }: StackVariant): ScanWarning => ({
  code: 'remote_state_unresolved',
  message: `${path}: it calls more than ${MOST_CALLS} modules that read states, or ${MOST_NESTED} in each other: not all are looked at`,
  stacks: [key],
})

/** Finds the states that stacks read: with their own data sources and with those of the local modules they use. */
export const stateReader = (context: Context) => {
  const follow = moduleCalls(context, ({ remoteStates }) => Math.min(1, remoteStates.length))
  return (variant: StackVariant, rootScope: Scope): Reading => {
    const found: Reading = { states: [], unknown: [] }
    const isAll = follow(variant, rootScope, (directory, scope) => {
      for (const state of context.directories.facts(directory, variant.tool).remoteStates) {
        const location = locate(state, scope, variant)
        if (typeof location === 'string') found.unknown.push(unknownState(state, location, variant.key))
        else found.states.push({ location, state })
      }
    })
    if (!isAll) found.unknown.push(notFollowed(variant))
    return found
  }
}

/** Edges from the readers of states to the stacks that keep them, matched by place. A state that no stack here keeps has none. */
export const readsStateEdges = (
  reading: ReadonlyMap<string, Reading>,
  keepers: ReadonlyMap<string, readonly string[]>,
): Edge[] => {
  const edges: Edge[] = []
  for (const [from, { states }] of reading) {
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

/** Whether a stack reads a state that none is known to keep. One whose place is not known may: else it does not matter where it is. */
export const readsElsewhere = (
  reading: ReadonlyMap<string, Reading>,
  keepers: ReadonlyMap<string, readonly string[]>,
): boolean =>
  [...reading.values()].some(
    ({ states, unknown }) =>
      unknown.length > 0 ||
      states.some(({ location: { identity } }) => identity === undefined || !keepers.has(identity)),
  )

/**
 * Of the states that cannot be known, those that `depends_on` does not settle: a stack that names as many stacks as it has such
 * states, beside those whose states it is known to read, has surely named them. With fewer it cannot be told which are missing.
 */
export const unsettled = (reading: ReadonlyMap<string, Reading>, edges: readonly Edge[]): ScanWarning[] => {
  const open = [...reading].filter(([, { unknown }]) => unknown.length > 0)
  if (open.length === 0) return []
  const isRead = new Set(
    edges.filter(({ type }) => type === 'reads_state').map(({ from, to }) => `${from.key}\n${to.key}`),
  )
  const named = new Map<string, number>()
  for (const { type, from, to } of edges)
    if (type === 'depends_on' && !isRead.has(`${from.key}\n${to.key}`))
      named.set(from.key, (named.get(from.key) ?? 0) + 1)
  return open.flatMap(([key, { unknown }]) => {
    const places = new Set(unknown.map(({ message }) => message))
    return places.size > (named.get(key) ?? 0) ? unknown : []
  })
}
