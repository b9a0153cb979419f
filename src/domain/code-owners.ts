import { type Owner, ownerOf } from './code-owner.ts'
import { lastMatch, type OwnedPattern, patternProblem } from './code-owners-pattern.ts'

export type { Owner } from './code-owner.ts'

/** Where the file may be on the base branch; the first that exists is the one (GitHub, 'About code owners'). */
export const codeOwnersPaths = ['.github/CODEOWNERS', 'CODEOWNERS', 'docs/CODEOWNERS'] as const

/**
 * A line that names paths. Without owners it makes them unowned. With a problem the code host skips it, which would leave
 * its paths to an earlier line or to nobody: here it keeps them, so that the gate can refuse and name the line.
 */
export type OwnerLine = OwnedPattern & { owners: Owner[]; problem?: string }

export type CodeOwners = { lines: OwnerLine[] }

/** A file over 3 MB is not loaded by GitHub. In characters, which is never more than bytes. */
const MAX_CHARS = 3 * 1024 * 1024

/** The words of a line: white space parts them unless a backslash is before it, and `#` at a word's start ends the line. */
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
      ? `'${bad.join("', '")}' is no owner: expected @user, @organisation/team or an e-mail address`
      : undefined)
  const good = owners.filter((owner) => owner !== undefined)
  return { line, pattern, owners: good, ...(problem !== undefined && { problem }) }
}

/**
 * Reads a CODEOWNERS file: the patterns of gitignore without `!`, `[ ]` and `\#`, each with its owners. Lines count from 1.
 * A file too large to be loaded is read as one line with a problem that has every path.
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

/** Which line a path is under; undefined where none matches. The last that matches counts, as on GitHub. */
export const ownersOf = (file: CodeOwners): ((path: string) => OwnerLine | undefined) => lastMatch(file.lines)
