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
import { HclError } from './hcl-error.ts'
import { skipExpression, skipQuoted, stop } from './skip.ts'
import { unescapeLabel } from './template.ts'
import { skipTrivia } from './trivia.ts'

/**
 * `keep`: types of the outermost blocks to read; the others are skipped, and get an empty body. If absent, all are read. `fault` is
 * told what is wrong, and reading goes on at the next block of a type in `known`; if absent, the first fault is thrown.
 */
export type ParseOptions = {
  keep?: ReadonlySet<string>
  recover?: { known: ReadonlySet<string>; fault: (error: HclError) => void }
}

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

type OpenBody = { attributes: Map<string, Attribute>; blocks: Block[] }

/** Reads one argument or block into a body; false at the body's end. */
const readNext = (cursor: Reader, depth: number, { attributes, blocks }: OpenBody): boolean => {
  skipTrivia(cursor, true)
  const { at } = cursor
  if (atEnd(cursor) || (depth > 0 && cursor.text.charCodeAt(at) === CLOSE_BRACE)) return false
  const name = readIdentifier(cursor)
  if (name === '') fail(cursor, `expected an argument or a block, not '${cursor.text[at]}'`)
  skipTrivia(cursor, false)
  if (cursor.text.charCodeAt(cursor.at) === EQUALS && cursor.text.charCodeAt(cursor.at + 1) !== EQUALS) {
    if (attributes.has(name)) fail(cursor, `'${name}' is set twice in one block`, at)
    attributes.set(name, readAttribute(cursor, name, at, stop.newline))
    endLine(cursor, 'argument')
  } else blocks.push(readBlock(cursor, name, at, depth))
  return true
}

const readBody = (cursor: Reader, depth: number): Body => {
  const body: OpenBody = { attributes: new Map(), blocks: [] }
  while (readNext(cursor, depth, body));
  return body
}

const HEAD = /^([a-z]+)\b[ \t]*[{"a-z]/gm

/** Where the next line begins that opens a block of a known type; the end of the text if there is none. */
const nextHead = (text: string, from: number, known: ReadonlySet<string>): number => {
  HEAD.lastIndex = from
  for (let found = HEAD.exec(text); found !== null; found = HEAD.exec(text))
    if (known.has(found[1] ?? '')) return found.index
  return text.length
}

/** A fault may be told at the end of the text, which is then read again: so many times at most. */
const MAX_FAULTS = 20

/** Reads what can be read: a block with a fault is left out, and so is what is between it and the next one. */
const readAround = (cursor: Reader, { known, fault }: NonNullable<ParseOptions['recover']>): Body => {
  const body: OpenBody = { attributes: new Map(), blocks: [] }
  for (let faults = 0; faults < MAX_FAULTS; ) {
    let at = cursor.text.length // after a comment that is not closed nothing is read
    try {
      skipTrivia(cursor, true)
      at = cursor.at
      if (!readNext(cursor, 0, body)) break
    } catch (error) {
      if (!(error instanceof HclError)) throw error
      fault(error)
      faults += 1
      cursor.at = nextHead(cursor.text, at + 1, known)
      cursor.depth = 0
    }
  }
  return body
}

/**
 * Reads a file in HCL's own syntax into blocks, labels and the raw text of values.
 * @throws HclError with line and column: for strings, brackets, heredocs, templates, comments or blocks that are not closed, for
 * arguments set twice, and for anything else that is not HCL. Operators and names inside values are left to the tool.
 */
export const parseHcl = (text: string, { keep, recover }: ParseOptions = {}): Body => {
  const cursor: Reader = { ...cursorOf(text), keep }
  if (text.charCodeAt(0) === 0xfeff) cursor.at = 1
  return recover === undefined ? readBody(cursor, 0) : readAround(cursor, recover)
}
