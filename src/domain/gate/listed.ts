/** The first few of many names, and how many more there are. */
export const listed = (names: readonly string[], shown = 5): string => {
  const more = names.length - shown
  return names.slice(0, shown).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** `Stack a`, `3 stacks (a, b, c)`: for the beginning of a sentence. */
export const listedStacks = (keys: readonly string[]): string =>
  keys.length === 1 ? `Stack ${keys[0]}` : `${keys.length} stacks (${listed(keys, 3)})`
