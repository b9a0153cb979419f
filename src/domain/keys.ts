import { limits } from './limits.ts'

/*
 * The names of stacks, instances, modules and checks (docs/interface.md, 'Conventions' and 'Check'). A stack key is the
 * directory's repository-relative path, `path:instance` for an instance of it, and `owner/repo//key` when it is in another
 * repository. The repository's root directory is the path `.`.
 */

export type StackKey = { path: string; instance?: string }
export type QualifiedKey = { repo: string; key: string }

const INSTANCE = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${limits.instanceNameChars - 1}}$`)
const CHECK = new RegExp(`^[A-Za-z0-9._-]{1,${limits.checkNameChars}}$`)
// a login of an enterprise's managed user has an underscore
const REPO = /^[A-Za-z0-9][A-Za-z0-9_-]*\/[A-Za-z0-9._-]+$/
const RESERVED_CHECKS: ReadonlySet<string> = new Set(['resolve', 'plan', 'apply'])

/** `default` is refused in any letter case: it is the workspace of a stack without instances, and keys would collide. */
export const isInstanceName = (name: string): boolean => INSTANCE.test(name) && name.toLowerCase() !== 'default'

/** `svc/resolve`, `svc/plan` and `svc/apply` are the service's own check runs, so no named check may take their names. */
export const isCheckName = (name: string): boolean => CHECK.test(name) && !RESERVED_CHECKS.has(name)

const isRepoName = (name: string): boolean => REPO.test(name)

/**
 * A repository-relative path in normal form: no leading `./`, no doubled or trailing slash, `.` for the root. Undefined if the
 * path is empty, absolute, or has a `..` segment.
 */
export const repositoryPath = (path: string): string | undefined => {
  if (path === '' || path.startsWith('/')) return undefined
  if (!path.includes('..') && !path.includes('//') && !path.startsWith('./') && !path.endsWith('/')) return path
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.includes('..')) return undefined
  return segments.length === 0 ? '.' : segments.join('/')
}

/** The repository path of a file named inside a stack's directory (`../shared/prod.tfvars`); undefined if it is outside. */
export const pathFrom = (directory: string, file: string): string | undefined => {
  if (file === '' || file.startsWith('/')) return undefined
  const out: string[] = []
  for (const segment of `${directory}/${file}`.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') out.push(segment)
    else if (out.pop() === undefined) return undefined
  }
  return out.length === 0 ? '.' : out.join('/')
}

export const isInside = (path: string, directory: string): boolean =>
  directory === '.' || path === directory || path.startsWith(`${directory}/`)

export const formatStackKey = (path: string, instance?: string): string =>
  instance === undefined ? path : `${path}:${instance}`

/** A stack of a known directory by its key: what follows the path is the instance's name, whatever either contains. */
export const namedByKey = ({ key, path }: { key: string; path: string }): StackKey =>
  key.length > path.length + 1 ? { path, instance: key.slice(path.length + 1) } : { path }

/** Only a valid instance name after the last colon counts as an instance: a directory name may contain colons. */
export const parseStackKey = (key: string): StackKey => {
  const colon = key.lastIndexOf(':')
  const instance = key.slice(colon + 1)
  return colon > 0 && isInstanceName(instance) ? { path: key.slice(0, colon), instance } : { path: key }
}

const TAG = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${limits.tagChars - 1}}$`)

export const isTag = (word: string): boolean => TAG.test(word)

/** What `tag:network` names, where a stack may be named; undefined for any other text. */
export const tagIn = (text: string): string | undefined => {
  const tag = text.startsWith('tag:') ? text.slice('tag:'.length) : ''
  return isTag(tag) ? tag : undefined
}

export const formatQualifiedKey = (repo: string, key: string): string => `${repo}//${key}`

/** `owner/repo//key`, parsed; undefined if the key is not qualified. */
export const parseQualifiedKey = (text: string): QualifiedKey | undefined => {
  const at = text.indexOf('//')
  if (at < 0) return undefined
  const [repo, key] = [text.slice(0, at), text.slice(at + 2)]
  return isRepoName(repo) && key !== '' ? { repo, key } : undefined
}
