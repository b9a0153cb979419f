import { type Cursor, fail, readIdentifier } from './cursor.ts'
import { HclError } from './hcl-error.ts'
import { skipExpression, stop } from './skip.ts'
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

const readParts = <Read>(cursor: Cursor, read: (cursor: Cursor) => Read): Loop<Read> => {
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

/** Reads a loop from after its bracket on. One that cannot be read is read over, and undefined: what is around it may be known. */
export const readLoop = <Read>(
  cursor: Cursor,
  read: (cursor: Cursor) => Read,
  closer: string,
): Loop<Read> | undefined => {
  const { at, depth } = cursor
  try {
    const loop = readParts(cursor, read)
    return takes(cursor, closer) ? loop : fail(cursor, 'a loop is not closed')
  } catch (error) {
    if (!(error instanceof HclError)) throw error
    Object.assign(cursor, { at, depth })
    skipExpression(cursor, stop.inside)
    cursor.at += 1
    return undefined
  }
}
