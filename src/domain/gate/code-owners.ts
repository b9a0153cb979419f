import { ownersIndex } from './code-owners-index.ts'
import { type OwnedPattern, patternProblem, segmentsOf } from './code-owners-pattern.ts'

/** Who owns paths: a user, a team as `organisation/slug` in lower case, or an e-mail address that only GitHub can match. */
export type Owner =
  | { kind: 'user'; login: string }
  | { kind: 'team'; team: string }
  | { kind: 'email'; address: string }

/** Enterprise-managed users have an underscore in their logins. */
const USER = /^@[A-Za-z0-9][A-Za-z0-9_-]*$/
const TEAM = /^@([A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9_.-]+)$/

const isEmail = (word: string): boolean => {
  const [user = '', domain = '', ...more] = word.split('@')
  return user !== '' && domain.includes('.') && !domain.startsWith('.') && !domain.endsWith('.') && more.length === 0
}

/** An owner as CODEOWNERS writes it; undefined if the word is not one. */
const ownerOf = (word: string): Owner | undefined => {
  if (USER.test(word)) return { kind: 'user', login: word.slice(1) }
  if (TEAM.test(word)) return { kind: 'team', team: word.slice(1).toLowerCase() }
  return isEmail(word) ? { kind: 'email', address: word } : undefined
}

/** The owner as the file writes it. */
export const ownerName = (owner: Owner): string => {
  if (owner.kind === 'email') return owner.address
  return `@${owner.kind === 'user' ? owner.login : owner.team}`
}

/** Where the file may be on the base branch; the first that exists counts (GitHub, 'About code owners'). */
export const codeOwnersPaths = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'] as const

/**
 * A line that names paths. Without owners it makes them unowned. The code host skips a line with a problem, which would leave
 * its paths to an earlier line or to nobody: here the line keeps them, and the gate can refuse and name it.
 */
export type OwnerLine = OwnedPattern & { owners: Owner[]; problem?: string }

export type CodeOwners = { lines: OwnerLine[] }

/** GitHub does not load a file over 3 MB. In characters, which are never more than the bytes. */
const MAX_CHARS = 3 * 1024 * 1024

/** The words of a line: separated by white space unless a backslash precedes it; `#` at a word's start ends the line. */
const wordsOf = (text: string): string[] => {
  const words: string[] = []
  for (const [word] of text.matchAll(/(?:\\.|[^\s\\]|\\$)+/gs)) {
    if (word.startsWith('#')) break
    words.push(word)
  }
  return words
}

const lineOf = (text: string, line: number): OwnerLine | undefined => {
  const [pattern, ...names] = wordsOf(text)
  if (pattern === undefined) return undefined
  const owners = names.map(ownerOf)
  const bad = names.filter((_, at) => owners[at] === undefined)
  const problem =
    patternProblem(pattern) ??
    (bad.length > 0
      ? `'${bad.join("', '")}' is not an owner: expected @user, @organisation/team or an e-mail address`
      : undefined)
  const good = owners.filter((owner) => owner !== undefined)
  return { line, pattern, owners: good, ...(problem !== undefined && { problem }) }
}

/**
 * Reads a CODEOWNERS file: gitignore patterns without `!`, `[ ]` and `\#`, each with its owners. Lines count from 1. A file too
 * large to be loaded is read as one line with a problem that covers every path.
 */
export const parseCodeOwners = (text: string): CodeOwners => {
  if (text.length > MAX_CHARS)
    return { lines: [{ line: 1, pattern: '*', owners: [], problem: 'the file is over 3 MB, so it is not loaded' }] }
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line, at) => lineOf(line, at + 1))
  return { lines: lines.filter((line) => line !== undefined) }
}

const tooMuch: OwnerLine = {
  line: 1,
  pattern: '*',
  owners: [],
  problem: 'its wildcards take too long to match against so many paths: use fewer of them, or simpler ones',
}

/** The line that covers a path; undefined if none matches. The last match counts, as on GitHub. Fastest with sorted paths. */
export const ownersOf = ({ lines }: CodeOwners): ((path: string) => OwnerLine | undefined) => {
  const index = ownersIndex()
  // if it is unclear which paths are meant, it may be any
  for (const [at, { pattern }] of lines.entries())
    if (!index.add(segmentsOf(pattern), at)) index.add([{ kind: 'any' }], at)
  return (path) => {
    const at = index.find(path)
    return at === 'too much' ? tooMuch : lines[at]
  }
}
