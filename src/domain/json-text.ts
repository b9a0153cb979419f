export type ParsedJson = { ok: true; value: unknown } | { ok: false; reason: string }

/** An escaped U+0000, but not an escaped backslash before the letters u0000. */
const nul = /(?<!\\)(?:\\\\)*\\u0000/
const surrogate = /\\ud[89a-f]/i

/**
 * The value of a request's JSON text, with strings that Postgres can store. Half of a surrogate pair, left by a careless cut of
 * a text, becomes U+FFFD; U+0000 is refused by name, since nothing sensible could replace it.
 */
export const parseJsonText = (text: string): ParsedJson => {
  if (text.includes('\\u0000') && nul.test(text)) return { ok: false, reason: 'must not hold the character U+0000' }
  try {
    return { ok: true, value: surrogate.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text) }
  } catch (error) {
    return { ok: false, reason: `must be exactly one JSON value: ${(error as Error).message}` }
  }
}

const wellFormed = (_key: string, value: unknown): unknown => (typeof value === 'string' ? value.toWellFormed() : value)
