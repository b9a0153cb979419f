import { type Cursor, fail, readIdentifier } from './cursor.ts'
import { skipTrivia, takes } from './trivia.ts'

/** A loop as written: the names that it gives an item, what it goes over, and what is evaluated for each item. */
export type Loop<Read> = { own: readonly string[]; collection: Read; body: readonly Read[] }

const readWord = (cursor: Cursor): string => {
  skipTrivia(cursor, true)
  return readIdentifier(cursor)
}

/** Reads the names between `for`, which is passed already, and `in`. */
export const readLoopNames = (cursor: Cursor): string[] => {
  const names = [readWord(cursor)]
  if (takes(cursor, ',')) names.push(readWord(cursor))
  return readWord(cursor) === 'in' ? names : fail(cursor, "'in' is missing")
}

/** Reads what is between the brackets of a loop, up to the one that closes it. */
export const readLoop = <Read>(cursor: Cursor, read: (cursor: Cursor) => Read): Loop<Read> => {
  readWord(cursor)
  const own = readLoopNames(cursor)
  const collection = read(cursor)
  if (!takes(cursor, ':')) fail(cursor, "':' is missing")
  const body = [read(cursor)]
  if (takes(cursor, '=>')) body.push(read(cursor))
  takes(cursor, '...')
  const { at } = cursor
  if (readWord(cursor) === 'if') body.push(read(cursor))
  else cursor.at = at
  return { own, collection, body }
}
