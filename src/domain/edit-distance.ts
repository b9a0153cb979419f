/** Edits (insert, delete, replace, swap of neighbours) that turn one word into the other. */
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

/** The known word nearest to a misspelt one; undefined when none is known, or when the word is too long to be a slip. */
export const nearest = (word: string, known: readonly string[]): string | undefined => {
  if (word.length > 64) return undefined
  let best: { name: string; distance: number } | undefined
  for (const name of known) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase())
    if (best === undefined || distance < best.distance) best = { name, distance }
  }
  return best?.name
}
