import { trimEndOf, trimOf } from '#domain/texts/trim.ts'

/** What a module's `source` names. `family` is the module's key without a version; `ref` the version asked for. */
export type ModuleSource =
  | { kind: 'local'; path: string }
  | { kind: 'git'; family: string; source: string; ref?: string }
  | { kind: 'registry'; family: string; source: string }
  | { kind: 'unsupported' }

const SCP = /^(?:[\w.-]+@)([\w.-]+):(?!\/\/)(.+)$/
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?/
const HOSTED = /^(?:github\.com|bitbucket\.org)\//
const REGISTRY = /^(?:([a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?)\/)?([\w-]+\/[\w-]+\/[\w-]+)(\/\/.+)?$/i
const DEFAULT_REGISTRIES: ReadonlySet<string> = new Set(['registry.terraform.io', 'registry.opentofu.org'])

/** `ssh://git@host/path`, `https://host/path` and `git@host:path` all become `host/path`. */
const hostPath = (address: string): string => {
  const scp = SCHEME.test(address) ? null : SCP.exec(address)
  return scp === null ? address.replace(SCHEME, '') : `${scp[1]}/${scp[2]}`
}

/** An address without its user and password: graphs and warnings are shown to many. */
export const withoutUser = (address: string): string =>
  address.replace(/(https?:\/\/)[^@/]*@/, '$1').replace(/(:\/\/[^:@/]*):[^@/]*@/, '$1@')

const refOf = (query: string): string | undefined => new URLSearchParams(query).get('ref') ?? undefined

/** A repository of our own code host is named `owner/repo//path`, as everywhere here; others are named with their host. */
const gitSource = (address: string, codehost: string): ModuleSource => {
  const [location = '', ...query] = address.split('?')
  const [repository = '', ...below] = hostPath(location).split('//')
  const path = trimEndOf(repository, '/').replace(/\.git$/, '')
  const directory = trimOf(below.join('/'), '/') || '.'
  const source = `${path}//${directory}`
  const ours = path.startsWith(`${codehost}/`) ? source.slice(codehost.length + 1) : source
  const ref = refOf(query.join('?'))
  return { kind: 'git', family: ours, source, ...(ref === undefined ? {} : { ref }) }
}

/**
 * Classifies module sources as the tool does (Terraform, 'Module Sources'): a path, a git repository, or a registry. Archives,
 * buckets, Mercurial and OCI images are not among the kinds that a graph knows.
 * @param codehost host of the code host, for example `github.com`: its repositories need no host in a key.
 */
export const moduleSource = (source: string, codehost: string): ModuleSource => {
  if (/^\.\.?(?:\/|$)/.test(source)) return { kind: 'local', path: source }
  if (source.startsWith('git::')) return gitSource(source.slice('git::'.length), codehost)
  if (HOSTED.test(source) || SCP.test(source)) return gitSource(source, codehost)
  const registry = REGISTRY.exec(source)
  if (registry === null) return { kind: 'unsupported' }
  const [, host = '', name = '', below = ''] = registry
  const family = `${host === '' || DEFAULT_REGISTRIES.has(host) ? '' : `${host}/`}${name}${below}`
  return { kind: 'registry', family, source: family }
}
