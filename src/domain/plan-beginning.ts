import { limits } from './limits.ts'

/**
 * What a row keeps of a plan text whose whole is elsewhere: at most 8 KB, behind a line where one ends in the second half of
 * them (a plan may hold JSON without any), else behind a whole character. A text that fits is answered as it is, so that two
 * texts that agree in their first 8 KB and a byte have the same beginning, however little of them was read.
 */
export const planBeginning = (text: string, most: number = limits.planTextKeptBytes): string => {
  const head = wholeCharacters(text, most)
  if (head === text) return text
  const end = head.lastIndexOf('\n') + 1
  return end > head.length / 2 ? head.slice(0, end) : head
}

/** The longest beginning of a text within so many bytes of UTF-8 that ends with a whole character; no mark at its start is lost. */
export const wholeCharacters = (text: string, bytes: number): string => {
  // a character has at least one byte: what is behind so many cannot fit, and need not be encoded
  const encoded = new TextEncoder().encode(text.slice(0, bytes + 1))
  if (encoded.length <= bytes) return text
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(encoded.subarray(0, bytes), { stream: true })
}
