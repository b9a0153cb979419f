import { createHash } from 'node:crypto'

/*
 * All of our statements have a fixed text (lists travel as arrays), so a few hundred names suffice; the bound guards against a
 * statement that has not.
 */
const atMost = 500

/**
 * Statements are prepared under a name made from their text: for the small statements of a transition, planning costs as much
 * as running. Returns none if there are too many different ones.
 */
export const createStatementNames = (): ((text: string) => string | undefined) => {
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    if (names.size >= atMost) return undefined
    const name = createHash('sha1').update(text).digest('hex')
    names.set(text, name)
    return name
  }
}
