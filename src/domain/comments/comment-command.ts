import { clip, code } from '#domain/texts/markdown.ts'
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

export type Ignore = { kind: 'ignore' }
/** `keys` are stack keys or globs over them, as written; none stands for all. */
export type Command = { kind: 'command'; verb: Verb; keys: string[] }
/** A command that cannot be carried out as written: `message` (Markdown) says what would be right. */
export type Reply = { kind: 'reply'; verb: Verb; message: string }

/** A glob is better for more; and each key is compared with every stack. */
const MOST_KEYS = 100

const verbOf = (word: string): Verb | undefined => verbs.find((verb) => verb === word.toLowerCase())

/**
 * The words after the verb. Text between backticks is one word, spaces included, taken as written; elsewhere `\*` and `\_` are
 * the characters that Markdown shows, and a comma after a word only separates.
 */
const wordsOf = (text: string): string[] => {
  const words: string[] = []
  for (let rest = text.trim(); rest !== ''; ) {
    const close = rest.startsWith('`') ? rest.indexOf('`', 1) : -1
    const end = close > 0 ? close + 1 : rest.search(/\s|$/)
    const word = rest.slice(0, end)
    words.push(close > 0 ? word.slice(1, -1).trim() : word.replace(/\\([*_])/g, '$1').replace(/,+$/, ''))
    rest = rest.slice(end).replace(/^[\s,]+/, '')
  }
  return words.filter((word) => word !== '')
}

const readCommand = (verb: Verb, text: string): Command | Reply => {
  if (verb === 'help') return { kind: 'command', verb, keys: [] }
  const keys = wordsOf(text)
  const flag = keys.find((word) => word.startsWith('-'))
  const written = code(usage[verb])
  if (flag !== undefined) {
    const message = `${code(clip(flag, 100))} is not an option: the commands take none. Write ${written}, where each key is a stack's key or a glob such as ${code('aws/**')}.`
    return { kind: 'reply', verb, message }
  }
  if (keys.length > MOST_KEYS) {
    const message = `${keys.length} keys are named, and at most ${MOST_KEYS} are read. Write ${written} with globs such as ${code('aws/**')}.`
    return { kind: 'reply', verb, message }
  }
  return { kind: 'command', verb, keys }
}

/**
 * What a new comment asks for (docs/commands.md): the first line whose first word is the service's name and whose second is a
 * known verb, in any letter case, outside code and quotes. The caller leaves out comments that were edited, deleted or written
 * by bots, and checks the author's push permission.
 */
export const parseComment = (body: string): Ignore | Command | Reply => {
  for (const line of saidLines(body)) {
    const [, first = '', second = '', rest = ''] = /^(\S+)\s+(\S+)(.*)$/s.exec(line) ?? []
    const verb = first.toLowerCase() === commandWord ? verbOf(second) : undefined
    if (verb !== undefined) return readCommand(verb, rest)
  }
  return { kind: 'ignore' }
}
