import { type Cursor, DOLLAR, fail, nested, PERCENT, QUOTE } from './cursor.ts'
import { skipQuoted } from './skip.ts'
import { templateAt } from './template-mark.ts'
import { skipTrivia } from './trivia.ts'

/** A piece of a string: its text, or what is between `${` and `}` as the caller reads it. */
export type Piece<Read> = { text: string } | { read: Read }

const PLAIN = /[^"\\$%]+/y
const ESCAPE = /\\(?:([nrt"\\])|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y
const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

const readEscape = (cursor: Cursor): string => {
  ESCAPE.lastIndex = cursor.at
  const found = ESCAPE.exec(cursor.text)
  if (found === null) return fail(cursor, 'unknown escape')
  cursor.at += found[0].length
  const [, letter, short, long] = found
  return letter === undefined
    ? String.fromCodePoint(Number.parseInt(short ?? long ?? '', 16))
    : (LETTERS[letter] ?? letter)
}

const readInterpolation = <Read>(cursor: Cursor, read: (cursor: Cursor) => Read): Read | undefined => {
  cursor.at += 2
  if (cursor.text[cursor.at] === '~') return undefined
  let made: Read | undefined
  nested(cursor, () => {
    made = read(cursor)
  })
  skipTrivia(cursor, true)
  if (cursor.text[cursor.at] !== '}') return undefined
  cursor.at += 1
  return made
}

/**
 * Reads the string at the cursor into its pieces, in one pass. Undefined, with the cursor behind it, for a string with a directive
 * (`%{ if … }`) or a strip marker (`${~ … ~}`).
 * @throws HclError for a string that is not closed.
 */
export const readQuoted = <Read>(cursor: Cursor, read: (cursor: Cursor) => Read): Piece<Read>[] | undefined => {
  const opened = cursor.at
  const pieces: Piece<Read>[] = []
  let plain = ''
  cursor.at += 1
  for (;;) {
    PLAIN.lastIndex = cursor.at
    const run = PLAIN.exec(cursor.text)?.[0] ?? ''
    plain += run
    cursor.at += run.length
    const code = cursor.text.charCodeAt(cursor.at)
    if (code === QUOTE) {
      cursor.at += 1
      if (plain !== '') pieces.push({ text: plain })
      return pieces
    }
    if (Number.isNaN(code)) return fail(cursor, 'unclosed string', opened)
    const mark = code === DOLLAR || code === PERCENT ? templateAt(cursor.text, cursor.at) : 'no'
    if (mark === 'escaped') {
      plain += `${cursor.text[cursor.at]}{`
      cursor.at += 3
    } else if (mark === 'no' && code !== DOLLAR && code !== PERCENT) plain += readEscape(cursor)
    else if (mark === 'no') {
      plain += cursor.text[cursor.at]
      cursor.at += 1
    } else {
      const made = code === PERCENT ? undefined : readInterpolation(cursor, read)
      if (made === undefined) {
        cursor.at = opened
        skipQuoted(cursor)
        return undefined
      }
      if (plain !== '') pieces.push({ text: plain })
      pieces.push({ read: made })
      plain = ''
    }
  }
}
