import {
  BACKSLASH,
  CLOSE_BRACE,
  type Cursor,
  cursorOf,
  DOLLAR,
  NEWLINE,
  OPEN_BRACE,
  PERCENT,
  QUOTE,
  readIdentifier,
} from './cursor.ts'
import { HclError } from './hcl-error.ts'
import { heredocName } from './heredoc.ts'
import { skipExpression, skipQuoted, stop } from './skip.ts'
import { splitItems } from './split.ts'
import { templateAt } from './template-mark.ts'
import { isComment, skipComment, skipTrivia } from './trivia.ts'

/** A call of a function: its name and its arguments as written. */
type Call = { name: string; args: string[] }

/** What to look for: calls by their names, and strings by how they begin, quote and all (a sticky expression). */
type Wanted = { call: (name: string) => boolean; string: RegExp }

/** The strings as written. One that is the first argument of a call is the call's, and not among them. */
type Found = { calls: Call[]; strings: string[] }

/**
 * What the reader is in: code, with the braces that are open in it; a string; or a heredoc, up to a line with its name. Templates
 * put code into texts, so each is in another.
 */
type Layer = { kind: 'code'; braces: number } | { kind: 'string' } | { kind: 'heredoc'; name: string }

type Reader = Cursor & Found & { layers: Layer[]; wanted: Wanted; firstArgument: number }

/** No path is longer. Each of many strings may be one that ends nowhere, and is read only so far. */
const MOST_CHARS = 4096

const PLAIN_CODE = /[^\p{ID_Start}_"#/<{}]+/uy
const PLAIN_TEXT = /[^"\\$%\n]+/y

const skipMatch = (cursor: Cursor, pattern: RegExp): void => {
  pattern.lastIndex = cursor.at
  cursor.at += pattern.exec(cursor.text)?.[0].length ?? 0
}

const argumentsAt = (text: string, at: number): string[] => {
  // from here on: an error counts the lines before its place, and each of many calls may have one
  const cursor = cursorOf(text.slice(at))
  try {
    skipExpression(cursor, stop.inside)
    return splitItems(cursor.text.slice(0, cursor.at)) ?? []
  } catch (error) {
    if (error instanceof HclError) return []
    throw error
  }
}

const readName = (reader: Reader): boolean => {
  const name = readIdentifier(reader)
  if (name === '') return false
  if (!reader.wanted.call(name)) return true
  const { at } = reader
  skipTrivia(reader, false)
  if (reader.text[reader.at] !== '(') {
    reader.at = at
    return true
  }
  reader.calls.push({ name, args: argumentsAt(reader.text, reader.at + 1) })
  reader.at += 1
  skipTrivia(reader, true)
  reader.firstArgument = reader.at
  return true
}

const addString = ({ text, at, wanted, strings }: Reader): void => {
  wanted.string.lastIndex = at
  if (!wanted.string.test(text)) return
  const cursor = cursorOf(text.slice(at, at + MOST_CHARS))
  try {
    skipQuoted(cursor)
    strings.push(cursor.text.slice(0, cursor.at))
  } catch (error) {
    if (!(error instanceof HclError)) throw error
  }
}

const readCode = (reader: Reader, layer: Layer & { kind: 'code' }): void => {
  skipMatch(reader, PLAIN_CODE)
  if (readName(reader)) return
  const { text, at, layers } = reader
  const code = text.charCodeAt(at)
  if (code === QUOTE) {
    if (at !== reader.firstArgument) addString(reader)
    layers.push({ kind: 'string' })
  } else if (code === OPEN_BRACE) layer.braces += 1
  else if (code === CLOSE_BRACE) {
    if (layer.braces > 0) layer.braces -= 1
    else if (layers.length > 1) layers.pop()
  } else if (isComment(text, at)) {
    skipComment(reader)
    return
  } else if (text.startsWith('<<', at)) {
    const opened = heredocName(text, at)
    if (opened !== undefined) {
      layers.push({ kind: 'heredoc', name: opened.name })
      reader.at = opened.end - 1
      return
    }
  }
  reader.at += 1
}

/** Passes the line's end, and the heredoc's if the next line is its name. */
const endLine = (reader: Reader, layer: Layer): void => {
  reader.at += 1
  if (layer.kind === 'string') reader.layers.pop()
  if (layer.kind !== 'heredoc') return
  const end = reader.text.indexOf('\n', reader.at)
  const line = reader.text.slice(reader.at, end < 0 ? undefined : end)
  if (line.trim() !== layer.name) return
  reader.at += line.length
  reader.layers.pop()
}

const readText = (reader: Reader, layer: Layer): void => {
  skipMatch(reader, PLAIN_TEXT)
  const { text, at, layers } = reader
  const code = text.charCodeAt(at)
  if (code === NEWLINE) endLine(reader, layer)
  else if (code === DOLLAR || code === PERCENT) {
    const mark = templateAt(text, at)
    reader.at += mark === 'opens' ? 2 : mark === 'escaped' ? 3 : 1
    if (mark === 'opens') layers.push({ kind: 'code', braces: 0 })
  } else {
    if (code === QUOTE && layer.kind === 'string') layers.pop()
    reader.at += code === BACKSLASH && layer.kind === 'string' ? 2 : 1
  }
}

/**
 * Calls of some functions in a text of HCL, and some strings, also in templates; none in comments and in plain text. It needs no
 * blocks, so it reads on behind faults.
 */
export const findIn = (text: string, wanted: Wanted): Found => {
  const layers: Layer[] = [{ kind: 'code', braces: 0 }]
  const reader: Reader = { ...cursorOf(text), layers, calls: [], strings: [], wanted, firstArgument: -1 }
  try {
    for (let layer = layers.at(-1); layer !== undefined && reader.at < text.length; layer = layers.at(-1))
      if (layer.kind === 'code') readCode(reader, layer)
      else readText(reader, layer)
  } catch (error) {
    if (!(error instanceof HclError)) throw error
  }
  return { calls: reader.calls, strings: reader.strings }
}
