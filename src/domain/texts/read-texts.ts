/** How many bytes of texts there are to read of something, and how early they should be (reading-order.ts). */
export type TextSize = { bytes: number; rank: number }

/** Those whose texts are read where not all can be: by their rank, then as many as possible. */
export const readWithin = <Sized extends TextSize>(sizes: readonly Sized[], mostBytes: number): Set<Sized> => {
  const read = new Set<Sized>()
  let left = mostBytes
  for (const one of [...sizes].sort((a, b) => a.rank - b.rank || a.bytes - b.bytes)) {
    if (one.bytes > left) continue
    left -= one.bytes
    read.add(one)
  }
  return read
}
