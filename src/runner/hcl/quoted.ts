import { type Cursor, DOLLAR, fail, nested, PERCENT, QUOTE, readIdentifier } from './cursor.ts'
import { readLoopNames } from './loop.ts'
import { templateAt } from './template-mark.ts'
import { skipTrivia, takes } from './trivia.ts'

/** A piece of a string: its text, or what is between `${` and `}` as the caller reads it. */
export type Piece<Read> = { text: string } | { read: Read }

/**
 * The pieces of a template. It is plain if its text is that of its pieces: not with a directive (`%{ if … }`), of which the condition
 * or the collection is a piece, nor with a strip marker (`${~ … ~}`).
 */
export type Template<Read> = { pieces: Piece<Read>[]; isPlain: boolean }

/** Text without a mark, and what else ends it. */
type Text = { plain: RegExp; isQuoted: boolean }

const STRING: Text = { plain: /[^"\\$%]+/y, isQuoted: true }
const LINES: Text = { plain: /[^$%]+/y, isQuoted: false }
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

/** Reads what a directive evaluates: `if` has a condition, `for` a collection, and the others nothing. */
const readDirective = <Read>(cursor: Cursor, read: (cursor: Cursor) => Read): Read | undefined => {
  skipTrivia(cursor, true)
  const word = readIdentifier(cursor)
  if (word === 'for') readLoopNames(cursor)
  return word === 'if' || word === 'for' ? read(cursor) : undefined
}

/** Reads `${ … }` or `%{ … }`. */
const readMark = <Read>(cursor: Cursor, read: (cursor: Cursor) => Read): { read?: Read; isPlain: boolean } => {
  const { at } = cursor
  const isDirective = cursor.text.charCodeAt(at) === PERCENT
  cursor.at += 2
  const stripsBefore = takes(cursor, '~')
  let made: Read | undefined
  nested(cursor, () => {
    made = isDirective ? readDirective(cursor, read) : read(cursor)
  })
  const stripsAfter = takes(cursor, '~')
  if (!takes(cursor, '}')) fail(cursor, "unclosed template: '}' is missing", at)
  return { ...(made === undefined ? {} : { read: made }), isPlain: !(isDirective || stripsBefore || stripsAfter) }
}

const readTemplate = <Read>(cursor: Cursor, { plain, isQuoted }: Text, read: (cursor: Cursor) => Read) => {
  const opened = cursor.at
  const made: Template<Read> = { pieces: [], isPlain: true }
  let text = ''
  const take = (): void => {
    if (text !== '') made.pieces.push({ text })
    text = ''
  }
  for (;;) {
    plain.lastIndex = cursor.at
    const run = plain.exec(cursor.text)?.[0] ?? ''
    text += run
    cursor.at += run.length
    const code = cursor.text.charCodeAt(cursor.at)
    if (isQuoted ? code === QUOTE : Number.isNaN(code)) break
    if (Number.isNaN(code)) return fail(cursor, 'unclosed string', opened)
    const mark = code === DOLLAR || code === PERCENT ? templateAt(cursor.text, cursor.at) : 'no'
    if (mark === 'escaped') {
      text += `${cursor.text[cursor.at]}{`
      cursor.at += 3
    } else if (mark === 'no' && code !== DOLLAR && code !== PERCENT) text += readEscape(cursor)
    else if (mark === 'no') {
      text += cursor.text[cursor.at]
      cursor.at += 1
    } else {
      take()
      const found = readMark(cursor, read)
      made.isPlain &&= found.isPlain
      if (found.read !== undefined) made.pieces.push({ read: found.read })
    }
  }
  take()
  return made
}

/**
 * Reads the string at the cursor into its pieces, in one pass.
 * @throws HclError for a string or a template that is not closed.
 */
export const readQuoted = <Read>(cursor: Cursor, read: (cursor: Cursor) => Read): Template<Read> => {
  cursor.at += 1
  const made = readTemplate(cursor, STRING, read)
  cursor.at += 1
  return made
}

/** The same for the lines of a heredoc, which are all of the cursor's text. */
export const readLines = <Read>(cursor: Cursor, read: (cursor: Cursor) => Read): Template<Read> =>
  readTemplate(cursor, LINES, read)
