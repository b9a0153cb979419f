/** Something in svc.yml that names nothing: the path to it in the file, and what was looked for. */
export type Finding = { path: (string | number)[]; message: string }

/** `a, b, c and 4 more`, for lists of any length. */
export const someOf = (names: readonly string[], most = 3): string => {
  const more = names.length - most
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** What a person may have meant, as the end of a sentence. */
export const meant = (name: string | undefined): string => (name === undefined ? '' : `: did you mean '${name}'?`)
