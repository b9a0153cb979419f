/** The longest row is of a graph of 8 MB, whose JSON is escaped twice. */
const longestLine = 64 * 1024 * 1024

/** The lines of a text that comes in pieces, without their ends. Throws if one is longer than any row. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let open: string[] = []
  let length = 0
  for await (const piece of pieces) {
    const [first = '', ...others] = decoder.decode(piece, { stream: true }).split('\n')
    open.push(first)
    length += first.length
    if (length > longestLine) throw new Error('it has a line that is longer than any row')
    for (const other of others) {
      yield open.join('')
      open = [other]
      length = other.length
    }
  }
  const last = open.join('') + decoder.decode()
  if (last !== '') yield last
}
