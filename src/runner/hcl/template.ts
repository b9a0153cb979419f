import { type Cursor, cursorOf, DOLLAR, fail, PERCENT } from './cursor.ts'
import { heredocBody } from './heredoc.ts'
import { skipInterpolation } from './skip.ts'
import { indentOf, isBlank } from './spaces.ts'
import { templateAt } from './template-mark.ts'

/** A piece of a string: plain text, or the expression inside `${…}`. */
export type Part = { text: string } | { expression: string }

const ESCAPE = /\\(?:([nrt"\\])|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/g
const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

const decode = (text: string): string =>
  text.includes('\\')
    ? text.replaceAll(ESCAPE, (_, letter: string | undefined, short: string | undefined, long: string | undefined) => {
        if (letter !== undefined) return LETTERS[letter] ?? letter
        return String.fromCodePoint(Number.parseInt(short ?? long ?? '', 16))
      })
    : text

/**
 * Splits the inside of a string. Undefined if a directive (`%{ if … }`) or a strip marker (`${~ … ~}`) makes the text depend on
 * more than its parts: nothing is guessed.
 */
export const splitTemplate = (text: string, escapes: boolean): Part[] | undefined => {
  const parts: Part[] = []
  const cursor = cursorOf(text)
  let plain = ''
  let from = 0
  const take = (end: number): void => {
    const piece = text.slice(from, end)
    plain += escapes ? decode(piece) : piece
  }
  while (cursor.at < text.length) {
    const { at } = cursor
    const code = text.charCodeAt(at)
    const mark = code === DOLLAR || code === PERCENT ? templateAt(text, at) : 'no'
    if (mark === 'no') cursor.at += code === 92 && escapes ? 2 : 1
    else if (mark === 'escaped') {
      take(at + 1)
      plain += '{'
      from = at + 3
      cursor.at = from
    } else {
      take(at)
      cursor.at += 2
      skipInterpolation(cursor)
      const expression = text.slice(at + 2, cursor.at - 1)
      if (code === PERCENT || expression.startsWith('~') || expression.endsWith('~')) return undefined
      if (plain !== '') parts.push({ text: plain })
      parts.push({ expression: expression.trim() })
      plain = ''
      from = cursor.at
    }
  }
  take(text.length)
  if (plain !== '') parts.push({ text: plain })
  return parts
}

/** The text of a label whose quotes the cursor has just passed. A template in it is an error, as in the language. */
export const unescapeLabel = (cursor: Cursor, at: number): string => {
  const raw = cursor.text.slice(at + 1, cursor.at - 1)
  if (!/[\\$%]/.test(raw)) return raw
  const [part, ...more] = splitTemplate(raw, true) ?? [{ expression: '' }]
  if (part === undefined) return ''
  if (more.length > 0 || !('text' in part))
    return fail(cursor, "a label is a plain string: '${' is written '$${' in it", at)
  return part.text
}

/** Removes the indentation that all lines of an indented heredoc share. Lines with only spaces are left as they are. */
const dedent = (body: string): string => {
  const lines = body.split('\n')
  const indents = lines.flatMap((line) => (isBlank(line) ? [] : [indentOf(line)]))
  const shared = indents.reduce((least, indent) => Math.min(least, indent), indents[0] ?? 0)
  return lines.map((line) => (isBlank(line) ? line : line.slice(shared))).join('\n')
}

/**
 * The parts of a heredoc's text. Undefined for an indented one with a template over several lines: its indentation is not
 * plain.
 */
export const splitHeredoc = (source: string): Part[] | undefined => {
  const { indented, body } = heredocBody(source)
  if (!indented) return splitTemplate(body, false)
  const parts = splitTemplate(body, false)
  if (parts?.some((part) => 'expression' in part && part.expression.includes('\n'))) return undefined
  return splitTemplate(dedent(body), false)
}
