import type { KeySelection } from '#domain/resolution/select-keys.ts'
import { clip, code, cutAtLine, fewer, plain } from '#domain/texts/markdown.ts'
import type { Verb } from './comment-command.ts'

const wordsShown = 20
const keysShown = 20
/** Characters for each list: with an entity for every character, a long word would outgrow a comment. */
const listRoom = 25_000

const listed = (lines: readonly string[], shown: number): string =>
  cutAtLine(fewer(lines, shown).join('\n'), listRoom, '- …')

/** The answer to a command with words that match no stack: the words, the stacks there are, and what to write. */
export const unmatchedComment = (verb: Verb, unmatched: KeySelection['unmatched'], keys: readonly string[]): string => {
  const words = unmatched.map(({ glob, why }) => `- ${code(clip(glob, 300))}: ${plain(clip(why, 300))}`)
  const known = [...keys].sort().map((key) => `- ${code(clip(key, 300))}`)
  return [
    `### ❌ ${code(`svc ${verb}`)} names stacks that do not exist here`,
    listed(words, wordsShown),
    ...(known.length === 0 ? [] : [`The stacks:\n\n${listed(known, keysShown)}`]),
    `**Next:** nothing was done. Comment ${code(`svc ${verb}`)} with keys or globs of these stacks, or without any for all of them.`,
  ].join('\n\n')
}
