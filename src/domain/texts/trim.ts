/*
 * Trimming by hand. `/x+$/` looks linear and is not: the engine tries each x of a run as a beginning, so 100 KB of line breaks
 * before another character took 12 s.
 */

/** The text without these characters at its end. */
export const trimEndOf = (text: string, chars: string): string => {
  let end = text.length
  while (end > 0 && chars.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** The text without these characters at its beginning and its end. */
export const trimOf = (text: string, chars: string): string => {
  const trimmed = trimEndOf(text, chars)
  let start = 0
  while (start < trimmed.length && chars.includes(trimmed.charAt(start))) start += 1
  return trimmed.slice(start)
}
