import { type Attribute, type Block, type Body, emptyBody } from './body.ts'
import {
  CLOSE_BRACE,
  type Cursor,
  cursorOf,
  EQUALS,
  fail,
  NEWLINE,
  nested,
  OPEN_BRACE,
  QUOTE,
  readIdentifier,
} from './cursor.ts'
import { skipExpression, skipQuoted, stop } from './skip.ts'
import { unescapeLabel } from './template.ts'
import { skipTrivia } from './trivia.ts'

/** `keep`: types of the outermost blocks to read; the others are skipped, and get an empty body. If absent, all are read. */
export type ParseOptions = { keep?: ReadonlySet<string> }

type Reader = Cursor & { readonly keep: ReadonlySet<string> | undefined }

const atEnd = (cursor: Cursor): boolean => cursor.at >= cursor.text.length

const endLine = (cursor: Cursor, what: string): void => {
  skipTrivia(cursor, false)
  if (!atEnd(cursor) && cursor.text.charCodeAt(cursor.at) !== NEWLINE)
    fail(cursor, `a newline is missing after the ${what}`)
}

const readAttribute = (cursor: Cursor, name: string, at: number, stops: number): Attribute => {
  cursor.at += 1
  const start = cursor.at
  skipExpression(cursor, stops)
  const expression = cursor.text.slice(start, cursor.at).trim()
  if (expression === '') fail(cursor, `the value of '${name}' is missing`)
  return { name, expression, at }
}

const readLabels = (cursor: Cursor, type: string, start: number): string[] => {
  const labels: string[] = []
  for (;;) {
    skipTrivia(cursor, false)
    const { text, at } = cursor
    const code = text.charCodeAt(at)
    if (code === OPEN_BRACE) return labels
    if (code === QUOTE) {
      skipQuoted(cursor)
      labels.push(unescapeLabel(cursor, at))
      continue
    }
    const label = readIdentifier(cursor)
    if (label !== '') labels.push(label)
    else if (labels.length === 0) fail(cursor, `'${type}' needs '=' or '{' after it`, start)
    else fail(cursor, `'{' is missing after the labels of '${type}'`)
  }
}

/** In this language a block on one line holds at most one argument, and no block. */
const readLine = (cursor: Reader): Body => {
  const at = cursor.at
  const name = readIdentifier(cursor)
  skipTrivia(cursor, false)
  if (name === '' || cursor.text.charCodeAt(cursor.at) !== EQUALS)
    fail(cursor, 'a block on one line holds one argument and no block', at)
  const attribute = readAttribute(cursor, name, at, stop.closer | stop.newline)
  if (cursor.text.charCodeAt(cursor.at) !== CLOSE_BRACE)
    fail(cursor, "'}' is missing at the end of the line: this block began on it")
  return { attributes: new Map([[name, attribute]]), blocks: [] }
}

const readInside = (cursor: Reader, opened: number, depth: number): Body => {
  skipTrivia(cursor, false)
  const code = cursor.text.charCodeAt(cursor.at)
  const oneLine = code !== NEWLINE && code !== CLOSE_BRACE && !atEnd(cursor)
  const body = oneLine ? readLine(cursor) : readBody(cursor, depth)
  if (cursor.text.charCodeAt(cursor.at) !== CLOSE_BRACE) fail(cursor, "unclosed block: '}' is missing", opened)
  return body
}

const readBlock = (cursor: Reader, type: string, at: number, depth: number): Block => {
  const labels = readLabels(cursor, type, at)
  const opened = cursor.at
  cursor.at += 1
  let body = emptyBody
  if (depth === 0 && cursor.keep !== undefined && !cursor.keep.has(type)) {
    skipExpression(cursor, stop.inside)
    if (cursor.text.charCodeAt(cursor.at) !== CLOSE_BRACE) fail(cursor, "unclosed block: '}' is missing", opened)
  } else {
    nested(cursor, () => {
      body = readInside(cursor, opened, depth + 1)
    })
  }
  cursor.at += 1
  endLine(cursor, 'block')
  return { type, labels, body, at }
}

const readBody = (cursor: Reader, depth: number): Body => {
  const attributes = new Map<string, Attribute>()
  const blocks: Block[] = []
  for (;;) {
    skipTrivia(cursor, true)
    const { at } = cursor
    if (atEnd(cursor) || (depth > 0 && cursor.text.charCodeAt(at) === CLOSE_BRACE)) return { attributes, blocks }
    const name = readIdentifier(cursor)
    if (name === '') fail(cursor, `expected an argument or a block, not '${cursor.text[at]}'`)
    skipTrivia(cursor, false)
    if (cursor.text.charCodeAt(cursor.at) === EQUALS && cursor.text.charCodeAt(cursor.at + 1) !== EQUALS) {
      if (attributes.has(name)) fail(cursor, `'${name}' is set twice in one block`, at)
      attributes.set(name, readAttribute(cursor, name, at, stop.newline))
      endLine(cursor, 'argument')
    } else blocks.push(readBlock(cursor, name, at, depth))
  }
}

/**
 * Reads a file in HCL's own syntax into blocks, labels and the raw text of values.
 * @throws HclError with line and column: for strings, brackets, heredocs, templates, comments or blocks that are not closed, for
 * arguments set twice, and for anything else that is not HCL. Operators and names inside values are left to the tool.
 */
export const parseHcl = (text: string, { keep }: ParseOptions = {}): Body => {
  const cursor: Reader = { ...cursorOf(text), keep }
  if (text.charCodeAt(0) === 0xfeff) cursor.at = 1
  return readBody(cursor, 0)
}
