import type { BackendFacts, Expressions, FileFacts, FileRead, ModuleCall, RemoteState } from './file-facts.ts'

export type At = { file: string }

/** The facts of one directory's files together, as one tool reads them. */
export type DirectoryFacts = {
  backend?: BackendFacts
  modules: (ModuleCall & At)[]
  remoteStates: (RemoteState & At)[]
  variables: Record<string, string | null>
  locals: Expressions
  reads: FileRead[]
  requiredVersions: string[]
  declares: boolean
  /** One of the files could not be read. */
  broken: boolean
}

export type FileOfFacts = { path: string; override: boolean; facts: FileFacts }

type Named = { kind?: string; name: string }

const addTo = <T extends Named>(all: Map<string, T>, one: T, merge: (below: T) => T): void => {
  const name = `${one.kind} ${one.name}`
  const below = all.get(name)
  all.set(name, below === undefined ? one : merge(below))
}

/**
 * Lays the files of a directory over each other, in the given order. Override files change single arguments of modules and data
 * sources, and replace a backend as a whole (Terraform, 'Override Files').
 */
export const directoryFacts = (files: readonly FileOfFacts[]): DirectoryFacts => {
  const modules = new Map<string, ModuleCall & At>()
  const states = new Map<string, RemoteState & At>()
  const merged: DirectoryFacts = {
    modules: [],
    remoteStates: [],
    variables: Object.create(null),
    locals: Object.create(null),
    reads: [],
    requiredVersions: [],
    declares: false,
    broken: false,
  }
  for (const { path, override, facts } of files) {
    for (const call of facts.modules ?? [])
      addTo(modules, { ...call, file: path }, (below) => ({
        ...below,
        arguments: { ...(override ? below.arguments : {}), ...call.arguments },
      }))
    for (const state of facts.remoteStates ?? [])
      addTo(states, { ...state, file: path }, (below) => ({
        ...below,
        fields: { ...(override ? below.fields : {}), ...state.fields },
      }))
    for (const [name, value] of Object.entries(facts.variables ?? {}))
      merged.variables[name] = value ?? (override ? (merged.variables[name] ?? null) : null)
    Object.assign(merged.locals, facts.locals)
    if (facts.reads !== undefined) merged.reads.push(...facts.reads)
    if (facts.backend !== undefined) merged.backend = facts.backend
    if (facts.requiredVersion !== undefined) merged.requiredVersions.push(facts.requiredVersion)
    if (facts.declares === true) merged.declares = true
    if (facts.errors !== undefined) merged.broken = true
  }
  return { ...merged, modules: [...modules.values()], remoteStates: [...states.values()] }
}
