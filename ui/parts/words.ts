/** `1 stack`, `2 stacks`. */
export const many = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`

/** `a`, `a and b`, `a, b and c`, `a, b and 3 more`. */
export const listed = (names: readonly string[], shown = 3): string => {
  const more = names.length - shown
  const parts = more > 0 ? [...names.slice(0, shown), `${more} more`] : [...names]
  const last = parts.pop() ?? ''
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

/** At the beginning of a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
