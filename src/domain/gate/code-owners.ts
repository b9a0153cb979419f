import type { Steps } from '../steps.ts'
import { type OwnedPattern, patternProblem } from './code-owners-pattern.ts'

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

/** GitHub does not load a file over 3 MB. In characters, which are never more than the bytes. */
const MAX_CHARS = 3 * 1024 * 1024

/** Some 1,000 owners. A longer line is not read to its end. */
const MAX_LINE_CHARS = 32 * 1024

/** The words of a line: separated by white space unless a backslash precedes it; `#` at a word's start ends the line. */
const wordsOf = (text: string): string[] => {
  const words: string[] = []
  for (const [word] of text.matchAll(/(?:\\.|[^\s\\]|\\$)+/gs)) {
    if (word.startsWith('#')) break
    words.push(word)
  }
  return words
}

const lineOf = (text: string, line: number, isWanted: Wanted): OwnerLine | undefined => {
  const [pattern, ...names] = wordsOf(text.slice(0, MAX_LINE_CHARS))
  if (pattern === undefined || !isWanted(pattern)) return undefined
  const owners = names.map(ownerOf)
  const good = owners.filter((owner) => owner !== undefined)
  const problem = text.length > MAX_LINE_CHARS ? 'the line is longer than 32 KB' : lineProblem(pattern, names, owners)
  return { line, pattern, owners: good, ...(problem !== undefined && { problem }) }
}

const lineProblem = (pattern: string, names: readonly string[], owners: readonly (Owner | undefined)[]) => {
  const bad = names.filter((_, at) => owners[at] === undefined)
  const wrongOwner =
    bad.length === 0
      ? undefined
      : `'${bad.join("', '")}' is not an owner: expected @user, @organisation/team or an e-mail address`
  return patternProblem(pattern) ?? wrongOwner
}

/** Whether what a pattern covers is asked for. */
type Wanted = (pattern: string) => boolean

/** So many lines are read in some 1 ms. */
const STEP_LINES = 500

/**
 * Reads a CODEOWNERS file: gitignore patterns without `!`, `[ ]` and `\#`, each with its owners. Lines count from 1. A file too
 * large to be loaded is read as one line with a problem that covers every path. Lines that are not wanted are left out.
 */
export function* parseCodeOwners(text: string, isWanted: Wanted = () => true): Steps<OwnerLine[]> {
  if (text.length > MAX_CHARS)
    return [{ line: 1, pattern: '*', owners: [], problem: 'the file is over 3 MB, so it is not loaded' }]
  const lines: OwnerLine[] = []
  let number = 0
  for (const written of writtenLines(text.replace(/^\uFEFF/, ''))) {
    number += 1
    if (number % STEP_LINES === 0) yield
    const line = written === '' ? undefined : lineOf(written, number, isWanted)
    if (line !== undefined) lines.push(line)
  }
  return lines
}

/** One after the other: 3 MB may be as many lines. */
function* writtenLines(text: string): Generator<string> {
  let from = 0
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) {
    yield text.slice(from, index)
    from = index + end.length
  }
  yield text.slice(from)
}
