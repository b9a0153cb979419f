/** Edits (insert, delete, replace, swap of neighbours) that turn one word into another. */
export const editDistance = (a: string, b: string): number => {
  const width = b.length + 1
  const at = new Uint16Array((a.length + 1) * width)
  const cost = (i: number, j: number): number => at[i * width + j] ?? 0
  for (let i = 0; i <= a.length; i += 1) {
    for (let j = 0; j <= b.length; j += 1) {
      if (i === 0 || j === 0) {
        at[i * width + j] = i + j
        continue
      }
      const replace = cost(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let best = Math.min(cost(i - 1, j) + 1, cost(i, j - 1) + 1, replace)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, cost(i - 2, j - 2) + 1)
      at[i * width + j] = best
    }
  }
  return cost(a.length, b.length)
}

/** A third of the letters may be wrong: with more differences it is another word, and a wrong guess is worse than none. */
const isSlip = (distance: number, word: string, name: string): boolean =>
  distance <= Math.max(1, Math.max(word.length, name.length) / 3)

/** The beginning of a word that was left unfinished: `--work` for `--work-dir`. */
const isBegun = (word: string, name: string): boolean => word.length >= 3 && name.startsWith(word)

/** The known word nearest to a misspelt one, or one that begins with it; undefined if none is near enough. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  if (word.length > 64) return undefined
  const given = word.toLowerCase()
  let best: { name: string; distance: number } | undefined
  for (const name of known) {
    const [meant, distance] = [name.toLowerCase(), editDistance(given, name.toLowerCase())]
    if (!isSlip(distance, given, meant) && !isBegun(given, meant)) continue
    if (best === undefined || distance < best.distance) best = { name, distance }
  }
  return best?.name
}
