import { HclError, positionOf } from './hcl-error.ts'

/** The reading position. `depth` counts nested templates and blocks, so a hostile file cannot end the process. */
export type Cursor = { readonly text: string; at: number; depth: number }

const IDENTIFIER = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy
const MAX_DEPTH = 200

export const cursorOf = (text: string): Cursor => ({ text, at: 0, depth: 0 })

export const fail: (cursor: Cursor, message: string, at?: number) => never = (cursor, message, at = cursor.at) => {
  throw new HclError(message, positionOf(cursor.text, at))
}

/** Reads one level deeper. More than 200 levels are refused; no file written by hand gets there. */
export const nested = (cursor: Cursor, read: (cursor: Cursor) => void): void => {
  cursor.depth += 1
  if (cursor.depth > MAX_DEPTH) fail(cursor, `nested more than ${MAX_DEPTH} levels deep`)
  read(cursor)
  cursor.depth -= 1
}

/** Codes of the characters that HCL is made of. Comparing numbers makes the reader fast. */
export const NEWLINE = 10
export const RETURN = 13
export const QUOTE = 34
export const HASH = 35
export const DOLLAR = 36
export const PERCENT = 37
export const STAR = 42
export const COMMA = 44
export const SLASH = 47
export const COLON = 58
export const LESS = 60
export const EQUALS = 61
export const GREATER = 62
export const BACKSLASH = 92
export const OPEN_BRACE = 123
export const CLOSE_BRACE = 125

/** The identifier at the cursor, in any script and possibly with dashes; '' if there is none. */
export const readIdentifier = (cursor: Cursor): string => {
  IDENTIFIER.lastIndex = cursor.at
  const name = IDENTIFIER.exec(cursor.text)?.[0] ?? ''
  cursor.at += name.length
  return name
}
