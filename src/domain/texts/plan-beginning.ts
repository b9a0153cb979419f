import { limits } from '../limits.ts'

/**
 * The part of a plan text that a row keeps if the whole is stored elsewhere: at most 8 KB, cut after a line if one ends in the
 * second half (a plan may hold JSON without line ends), else after a whole character. A text that fits is returned unchanged.
 * Two texts that agree in their first 8 KB and a byte therefore have the same beginning, however little of them was read.
 */
export const planBeginning = (text: string, most: number = limits.planTextKeptBytes): string => {
  const head = wholeCharacters(text, most)
  if (head === text) return text
  const end = head.lastIndexOf('\n') + 1
  return end > head.length / 2 ? head.slice(0, end) : head
}

/**
 * The longest beginning of a text within so many bytes of UTF-8 that ends with a whole character; a byte order mark at its
 * start is kept.
 */
export const wholeCharacters = (text: string, bytes: number): string => {
  // a character has at least one byte: anything after this many characters cannot fit, and need not be encoded
  const encoded = new TextEncoder().encode(text.slice(0, bytes + 1))
  if (encoded.length <= bytes) return text
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(encoded.subarray(0, bytes), { stream: true })
}
