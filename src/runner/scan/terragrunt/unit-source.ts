import { type ModuleSource, moduleSource } from '../edges/module-source.ts'
import { placeFrom } from './places.ts'
import type { Unit } from './unit.ts'

/** Where a unit's code comes from: a directory of the repository, or a module of git or a registry at a version. */
export type CodeSource =
  | { kind: 'directory'; path: string }
  | { kind: 'outside' }
  | Exclude<ModuleSource, { kind: 'local' }>
  | { kind: 'registry'; family: string; source: string; ref?: string }

const FORCED = /^[a-z0-9]+::/
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//
const DETECTED = /^(?:github\.com|gitlab\.com|bitbucket\.org)\//
const SCP = /^[\w.-]+@[\w.-]+:/
const REGISTRY = /^tfr:\/\/([^/]*)\/([^?]*)(?:\?(.*))?$/s

/** Whether a source is an address. Terragrunt takes all others for paths. */
export const isRemote = (source: string): boolean =>
  FORCED.test(source) || SCHEME.test(source) || DETECTED.test(source) || SCP.test(source)

/**
 * What a unit's `source` names. Unlike a module's it may be an absolute path, and a registry is named by `tfr://`; `//` parts what
 * is downloaded from the directory in it (Terragrunt, 'terraform').
 */
export const codeSource = (unit: string, source: string, codehost: string, version?: string): CodeSource => {
  if (!isRemote(source)) {
    const path = placeFrom(unit, source)
    return path === undefined ? { kind: 'outside' } : { kind: 'directory', path }
  }
  const registry = REGISTRY.exec(source)
  if (registry !== null) {
    const [, host = '', module = '', query = ''] = registry
    const found = moduleSource(`${host === '' ? '' : `${host}/`}${module}`, codehost)
    if (found.kind !== 'registry') return { kind: 'unsupported' }
    const ref = new URLSearchParams(query).get('version') ?? version
    return { ...found, ...(ref === undefined ? {} : { ref }) }
  }
  const found = moduleSource(source.startsWith('gitlab.com/') ? `git::https://${source}` : source, codehost)
  return found.kind === 'local' ? { kind: 'outside' } : found
}

/** Where a unit's code comes from; undefined if that is not known, or if it is its own. A linked directory is its target. */
export const sourceOfUnit = (
  { path, source }: Pick<Unit, 'path' | 'source'>,
  codehost: string,
  real: (path: string) => string,
): CodeSource | undefined => {
  if (source?.text === undefined) return undefined
  const code = codeSource(path, source.text, codehost, source.version)
  return code.kind === 'directory' ? { ...code, path: real(code.path) } : code
}
