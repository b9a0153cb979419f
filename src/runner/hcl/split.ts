import { COLON, COMMA, cursorOf, EQUALS, NEWLINE } from './cursor.ts'
import { skipExpression, skipQuoted, stop } from './skip.ts'
import { skipTrivia } from './trivia.ts'

/** An expression without leading space and comments, and without trailing space. */
export const bare = (expression: string): string => {
  const cursor = cursorOf(expression)
  skipTrivia(cursor, true)
  return expression.slice(cursor.at).trimEnd()
}

/** A value without a comment after it. */
export const uncommented = (text: string): string => {
  const end = text.search(/\s|#|\/[/*]/)
  if (end <= 0) return text
  const cursor = cursorOf(text)
  cursor.at = end
  skipTrivia(cursor, true)
  return cursor.at === text.length ? text.slice(0, end) : text
}

/** The quote or bracket that an expression opens with, up to where it closes; undefined if more than a comment follows. */
export const enclosed = (text: string): string | undefined => {
  const cursor = cursorOf(text)
  if (text.startsWith('"')) skipQuoted(cursor)
  else {
    cursor.at = 1
    skipExpression(cursor, stop.inside)
    cursor.at += 1
  }
  const inside = text.slice(1, cursor.at - 1)
  skipTrivia(cursor, true)
  return cursor.at === text.length ? inside : undefined
}

/** Splits the inside of brackets into its items; undefined if anything but a separator is between them. */
export const splitItems = (inside: string): string[] | undefined => {
  const cursor = cursorOf(inside)
  const items: string[] = []
  for (;;) {
    skipTrivia(cursor, true)
    if (cursor.at >= inside.length) return items
    const start = cursor.at
    skipExpression(cursor, stop.comma | stop.closer)
    items.push(inside.slice(start, cursor.at))
    if (cursor.at >= inside.length) return items
    if (inside.charCodeAt(cursor.at) !== COMMA) return undefined
    cursor.at += 1
  }
}

type Entry = { key: string; value: string }

/** The same for the inside of braces, whose items are a key and a value. */
export const splitEntries = (inside: string): Entry[] | undefined => {
  const cursor = cursorOf(inside)
  const entries: Entry[] = []
  for (;;) {
    skipTrivia(cursor, true)
    if (cursor.at >= inside.length) return entries
    const start = cursor.at
    skipExpression(cursor, stop.assign | stop.newline | stop.comma | stop.closer)
    const mark = inside.charCodeAt(cursor.at)
    if (mark !== EQUALS && mark !== COLON) return undefined
    const key = inside.slice(start, cursor.at).trim()
    cursor.at += 1
    const from = cursor.at
    skipExpression(cursor, stop.newline | stop.comma | stop.closer)
    entries.push({ key, value: inside.slice(from, cursor.at) })
    skipTrivia(cursor, false)
    const end = inside.charCodeAt(cursor.at)
    if (end === COMMA || end === NEWLINE) cursor.at += 1
    else if (cursor.at < inside.length) return undefined
  }
}
