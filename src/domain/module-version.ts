import { parse, type SemVer } from 'semver'
import { parseQualifiedKey } from './keys.ts'

/*
 * Modules and their versions (docs/interface.md, 'ModuleDetail'). A module of another directory or repository is known by its
 * family key, `owner/repo//path`; `key@ref` is the family pinned to a ref. Versions are tags that contain a semantic version:
 * `v1.2.3` or `1.2.3`, and for a module in a sub-directory also `<path>/v1.2.3` and `<basename>-v1.2.3`.
 */

/** A released version. */
export type ModuleVersion = {
  /** The tag, as one pins it. */
  tag: string
  /**
   * The order of these texts by code points is the order of precedence (Semantic Versioning 2.0.0, 11); build metadata makes no
   * difference.
   */
  precedence: string
  /** Counts towards `latest` and `behind`: stable, or any version if none is stable. */
  counts: boolean
  /** How many of the versions that count are newer. */
  newer: number
}

/** Where a family lives: its repository, if the key names one of the code host, and the directory in it. */
export const homeOf = (family: string): { repo: string; path: string } | undefined => {
  const qualified = parseQualifiedKey(family)
  return qualified && { repo: qualified.repo, path: qualified.key === '.' ? '' : qualified.key }
}

/** A key without its pin. Only git and registry modules are pinned: a local path may hold an `@`. */
export const splitPin = (key: string, kind: string): { family: string; ref?: string } => {
  const path = Math.max(key.indexOf('//'), 0)
  const at = kind === 'local' ? -1 : key.indexOf('@', path)
  return at <= 0 ? { family: key } : { family: key.slice(0, at), ref: key.slice(at + 1) }
}

/** A semantic version written in full: no range, no `v1` or `1.2`. */
const versionIn = (text: string): SemVer | undefined => (/^v?\d/.test(text) ? (parse(text) ?? undefined) : undefined)

/** Whether a tag may be a version of some module: it ends like a version. */
export const holdsVersion = (tag: string): boolean => /(^|[/-])v?\d+\.\d+\.\d+/.test(tag)

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/**
 * How close a tag is to a module, and its version: a tag that begins with the module's path is closest, a bare version is
 * farthest.
 */
const ofModule = (path: string, tag: string): { closeness: number; version: SemVer } | undefined => {
  const forms: [prefix: string, closeness: number][] =
    path === ''
      ? [['', 0]]
      : [
          [`${path}/`, 2],
          [`${baseName(path)}-`, 1],
          ['', 0],
        ]
  for (const [prefix, closeness] of forms) {
    const version = tag.startsWith(prefix) ? versionIn(tag.slice(prefix.length)) : undefined
    if (version) return { closeness, version }
  }
  return undefined
}

/** A longer number is greater, so its length comes first. */
const numberText = (digits: string): string => `${String(digits.length).padStart(4, '0')}${digits}`

/**
 * `!` ends an identifier: it sorts before every character of one, which puts `alpha` before `alpha1`. A number sorts before a
 * text, and a stable version (`~`) after any pre-release (`-`).
 */
const precedenceOf = ({ major, minor, patch, prerelease }: SemVer): string => {
  const core = [major, minor, patch].map((part) => numberText(String(part))).join('.')
  if (prerelease.length === 0) return `${core}~`
  const parts = prerelease.map((part) => (/^\d+$/.test(String(part)) ? `0${numberText(String(part))}!` : `1${part}!`))
  return `${core}-${parts.join('')}`
}

/** The precedence of the version that a ref pins; undefined for a branch, a commit or a range. */
export const refPrecedence = (path: string, ref: string): string | undefined => {
  const found = ofModule(path, ref.replace(/^refs\/tags\//, ''))
  return found && precedenceOf(found.version)
}

/**
 * The versions of a module from its repository's tags, newest first. Of several tags for one version, the closest to the module
 * counts, then the first by name.
 */
export const moduleVersions = (path: string, tags: readonly string[]): ModuleVersion[] => {
  const best = new Map<string, { tag: string; closeness: number; stable: boolean }>()
  for (const tag of [...tags].sort()) {
    const found = ofModule(path, tag)
    if (!found) continue
    const precedence = precedenceOf(found.version)
    const { closeness } = found
    if (closeness <= (best.get(precedence)?.closeness ?? -1)) continue
    best.set(precedence, { tag, closeness, stable: found.version.prerelease.length === 0 })
  }
  const anyStable = [...best.values()].some(({ stable }) => stable)
  let newer = 0
  return [...best]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([precedence, { tag, stable }]) => {
      const version = { tag, precedence, counts: stable || !anyStable, newer }
      if (version.counts) newer += 1
      return version
    })
}
