import { saidLines } from './comment-lines.ts'
import { clip, code } from './markdown.ts'

const name = 'svc'

export const verbs = ['plan', 'apply', 'unlock', 'help'] as const
export type Verb = (typeof verbs)[number]

/** How each command is written, for answers that say so. */
export const usage: Readonly<Record<Verb, string>> = {
  plan: `${name} plan [key…]`,
  apply: `${name} apply [key…]`,
  unlock: `${name} unlock [key…]`,
  help: `${name} help`,
}

export type Ignore = { kind: 'ignore' }
/** `keys` are stack keys or globs over them, as written; none stands for all. */
export type Command = { kind: 'command'; verb: Verb; keys: string[] }
/** A command that cannot be done as it is written: `message` (Markdown) says what would be right. */
export type Reply = { kind: 'reply'; verb: Verb; message: string }

/** More are better said by a glob; and each is compared with every stack. */
const MOST_KEYS = 100

const verbOf = (word: string): Verb | undefined => verbs.find((verb) => verb === word.toLowerCase())

/**
 * The words behind the verb. What stands between backticks is one word, spaces and all, and as written; elsewhere `\*` and
 * `\_` are the characters that Markdown shows, and a comma behind a word only separates.
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
    const message = `${code(clip(flag, 100))} is no option: the commands take none. Write ${written}, where each key is a stack's key or a glob such as ${code('aws/**')}.`
    return { kind: 'reply', verb, message }
  }
  if (keys.length > MOST_KEYS) {
    const message = `${keys.length} keys are named, and at most ${MOST_KEYS} are read. Write ${written} with globs such as ${code('aws/**')}.`
    return { kind: 'reply', verb, message }
  }
  return { kind: 'command', verb, keys }
}

/**
 * What a new comment asks for (spec, 'Comment commands'): the first line whose first word is the service's name and whose
 * second is a known verb, in any letter case, outside code and quotes. Whoever calls leaves out comments that were edited,
 * deleted or written by bots, and asks for the author's push permission.
 */
export const parseComment = (body: string): Ignore | Command | Reply => {
  for (const line of saidLines(body)) {
    const [, first = '', second = '', rest = ''] = /^(\S+)\s+(\S+)(.*)$/s.exec(line) ?? []
    const verb = first.toLowerCase() === name ? verbOf(second) : undefined
    if (verb !== undefined) return readCommand(verb, rest)
  }
  return { kind: 'ignore' }
}
