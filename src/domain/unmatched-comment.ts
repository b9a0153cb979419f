import type { Verb } from './comment-command.ts'
import { clip, code, cutAtLine, fewer, plain } from './markdown.ts'
import type { KeySelection } from './select-keys.ts'

const wordsShown = 20
const keysShown = 20
/** Each list's, in characters: an entity for every character of a long word would outgrow a comment. */
const listRoom = 25_000

const listed = (lines: readonly string[], shown: number): string =>
  cutAtLine(fewer(lines, shown).join('\n'), listRoom, '- …')

/** The answer to a command that names what is no stack: which words, which stacks there are, and what to write. */
export const unmatchedComment = (verb: Verb, unmatched: KeySelection['unmatched'], keys: readonly string[]): string => {
  const words = unmatched.map(({ glob, why }) => `- ${code(clip(glob, 300))}: ${plain(clip(why, 300))}`)
  const known = [...keys].sort().map((key) => `- ${code(clip(key, 300))}`)
  return [
    `### ❌ ${code(`svc ${verb}`)} names what is no stack here`,
    listed(words, wordsShown),
    ...(known.length === 0 ? [] : [`The stacks:\n\n${listed(known, keysShown)}`]),
    `**Next:** nothing was done. Comment ${code(`svc ${verb}`)} with keys or globs of these stacks, or without any for all of them.`,
  ].join('\n\n')
}
