import { isNestedDeeper } from '#domain/json-text.ts'
import { limits } from '#domain/limits.ts'
import { createBreath } from '#portions.ts'

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Looked through in some 2 ms. */
const portionChars = 256 * 1024

/** All fields together: a comment of 65,536 characters may take six times as many bytes, and the rest some 30 KB. */
const mostChars = 1024 * 1024

/**
 * The wanted fields of the text of a JSON object, as the text of an object of these alone; those are left out that are longer than
 * anything the code host says in them. Parsing all of 25 MB could hold the event loop for 6 s, and 1 GB: this looks through the
 * text in portions, and what is in other fields need not even be JSON. Undefined if the object does not come to its end.
 */
export const shortPayload = async (text: string, wanted: ReadonlySet<string>): Promise<string | undefined> => {
  const breath = createBreath()
  const fields = new Map<string, string>()
  let [depth, from, portionEnd, left] = [0, 0, portionChars, mostChars]
  let isText = false
  let name: string | undefined
  const take = (to: number): void => {
    const field = text.slice(from, to)
    const isKept = name !== undefined && wanted.has(name) && field.length <= left
    if (isKept && name !== undefined && !isNestedDeeper(field, limits.bodyLevels)) {
      fields.set(name, field)
      left -= field.length
    }
    name = undefined
  }
  for (let at = 0; at < text.length; at += 1) {
    if (at >= portionEnd) {
      portionEnd += portionChars
      await breath()
    }
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === backslash) at += 1
      else if (code === quote) {
        isText = false
        if (depth === 1) name ??= nameIn(text, from, at)
      }
    } else if (code === quote) {
      isText = true
      if (depth === 1 && name === undefined) from = at
    } else if (code === colon && depth === 1) from = at + 1
    else if (code === comma && depth === 1) take(at)
    else if (code === openBracket || code === openBrace) depth += 1
    else if (code === closeBracket || code === closeBrace) {
      if (depth === 1) take(at)
      depth -= 1
    }
  }
  if (depth !== 0 || isText) return undefined
  return `{${[...fields].map(([field, value]) => `${JSON.stringify(field)}:${value}`).join(',')}}`
}

/** None of ours has an escape, or is long. */
const nameIn = (text: string, from: number, to: number): string => (to - from > 100 ? '' : text.slice(from + 1, to))
