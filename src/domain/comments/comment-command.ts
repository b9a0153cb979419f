import { clip, code } from '#domain/texts/markdown.ts'
import { trimEndOf } from '#domain/texts/trim.ts'
import { limits } from '../limits.ts'
import { afterMatch } from './after-match.ts'
import { saidLines } from './comment-lines.ts'

/** The word that commands begin with. */
export const commandWord = 'svc'

export const verbs = ['plan', 'apply', 'unlock', 'help'] as const
export type Verb = (typeof verbs)[number]

/** The syntax of each command, for answers that show it. */
export const usage: Readonly<Record<Verb, string>> = {
  plan: `${commandWord} plan [key…]`,
  apply: `${commandWord} apply [key…]`,
  unlock: `${commandWord} unlock [key…]`,
  help: `${commandWord} help`,
}

/** A command for all that it may be about, as it is typed. */
export const command = (verb: Verb): string => `${commandWord} ${verb}`

/** A command as it was found in a comment: `text` is what follows the verb. */
export type Asked = { verb: Verb; text: string }
/** `keys` are stack keys or globs over them, as written; none stands for all. */
export type Command = { kind: 'command'; verb: Verb; keys: string[] }
/** A command that cannot be carried out as written: `message` (Markdown) says what would be right. */
export type Reply = { kind: 'reply'; verb: Verb; message: string }

/** A glob is better for more; and each key is compared with every stack. */
const MOST_KEYS = 100

const verbOf = (word: string): Verb | undefined => verbs.find((verb) => verb === word.toLowerCase())

const SEPARATORS = /[\s,]*/y
const WORD = /\S+/y

/**
 * The words after the verb, and one more than are read at most. Text between backticks is one word, spaces included, taken as
 * written; elsewhere `\*` and `\_` are the characters that Markdown shows, and a comma after a word only separates.
 */
const wordsOf = (text: string): string[] => {
  const words: string[] = []
  let at = afterMatch(SEPARATORS, text, 0) ?? 0
  while (at < text.length && words.length <= MOST_KEYS) {
    const close = text[at] === '`' ? text.indexOf('`', at + 1) : -1
    const end = close > 0 ? close + 1 : (afterMatch(WORD, text, at) ?? at)
    const word = text.slice(at, end)
    words.push(close > 0 ? word.slice(1, -1).trim() : trimEndOf(word.replace(/\\([*_])/g, '$1'), ','))
    at = afterMatch(SEPARATORS, text, end) ?? end
  }
  return words.filter((word) => word !== '')
}

/** Reads the words of a command. The author's permission is known by then: a comment by anybody costs no more than finding it. */
export const readCommand = ({ verb, text }: Asked): Command | Reply => {
  if (verb === 'help') return { kind: 'command', verb, keys: [] }
  const keys = wordsOf(text)
  const written = code(usage[verb])
  const reply = (message: string): Reply => ({ kind: 'reply', verb, message })
  const flag = keys.find((word) => word.startsWith('-'))
  const glob = code('aws/**')
  if (flag !== undefined)
    return reply(
      `${code(clip(flag, 100))} is not an option: the commands take none. Write ${written}, where each key is a stack's key or a glob such as ${glob}.`,
    )
  if (keys.length > MOST_KEYS)
    return reply(`More than ${MOST_KEYS} keys are named. Write ${written} with globs such as ${glob}.`)
  const long = keys.find((word) => word.length > limits.keyChars)
  if (long !== undefined)
    return reply(
      `${code(clip(long, 100))} has ${long.length} characters, and a key has at most ${limits.keyChars}. Write ${written}, where each key is a stack's key or a glob such as ${glob}.`,
    )
  return { kind: 'command', verb, keys }
}

/** A line that begins with the word, as saidLines parts them: a text without one has no command, whatever it says. */
const BEGINS_LINE = new RegExp(`(?:^|[\\r\\n])[^\\S\\r\\n]*${commandWord}\\s`, 'i')

/**
 * The command in a new comment (docs/commands.md): the first line whose first word is the service's name and whose second is a
 * known verb, in any letter case, outside code, quotes and hidden text; undefined if there is none. The caller leaves out
 * comments that were edited, deleted or written by bots, and checks the author's push permission.
 */
export const findCommand = (body: string): Asked | undefined => {
  const comment = body.slice(0, limits.commentChars)
  if (!BEGINS_LINE.test(comment)) return undefined
  for (const line of saidLines(comment)) {
    const [, first = '', second = '', text = ''] = /^(\S+)\s+(\S+)(.*)$/s.exec(line) ?? []
    const verb = first.toLowerCase() === commandWord ? verbOf(second) : undefined
    if (verb !== undefined) return { verb, text }
  }
  return undefined
}
