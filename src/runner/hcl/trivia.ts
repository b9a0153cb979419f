import { type Cursor, fail, HASH, NEWLINE, RETURN, SLASH, STAR } from './cursor.ts'

const SPACE = 32
const TAB = 9

/** Whether a comment starts at an offset with `#` or `/`. */
export const isComment = (text: string, at: number): boolean => {
  if (text.charCodeAt(at) === HASH) return true
  const next = text.charCodeAt(at + 1)
  return text.charCodeAt(at) === SLASH && (next === SLASH || next === STAR)
}

/** Skips a comment: to the newline that ends it, or past its closing mark. */
export const skipComment = (cursor: Cursor): void => {
  const { text, at } = cursor
  const block = text.charCodeAt(at) === SLASH && text.charCodeAt(at + 1) === STAR
  const end = text.indexOf(block ? '*/' : '\n', at + (block ? 2 : 0))
  if (block && end < 0) fail(cursor, "unclosed comment: '*/' is missing")
  cursor.at = end < 0 ? text.length : block ? end + 2 : end
}

/** Skips spaces and comments, and newlines too if they mean nothing here. */
export const skipTrivia = (cursor: Cursor, newlines: boolean): void => {
  const { text } = cursor
  for (;;) {
    const code = text.charCodeAt(cursor.at)
    if (code === SPACE || code === TAB || code === RETURN || (newlines && code === NEWLINE)) cursor.at += 1
    else if ((code === HASH || code === SLASH) && isComment(text, cursor.at)) skipComment(cursor)
    else return
  }
}

/** The next mark after space and comments, if it is this one. */
export const takes = (cursor: Cursor, mark: string): boolean => {
  skipTrivia(cursor, true)
  if (!cursor.text.startsWith(mark, cursor.at)) return false
  cursor.at += mark.length
  return true
}
