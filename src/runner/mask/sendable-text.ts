import { planBeginning } from '#domain/texts/plan-beginning.ts'

/**
 * Text as it may be sent: whole characters, line feeds and tabs, and nothing else that a terminal obeys. Such characters also
 * take six bytes each in JSON, and the body has a limit.
 */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are removed
    .replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f]/g, '')

/** A text's beginning in at most this many bytes, cut after a line, or after a character if the line would cost half of it. */
export const cutEnd = (text: string, most: number): { text: string; isCut: boolean } => {
  const beginning = planBeginning(text, most)
  return { text: beginning, isCut: beginning !== text }
}

/** A text's end in at most this many bytes, cut before a line: a program's output has the error at its end. */
export const cutBeginning = (text: string, most: number): string => {
  const bytes = Buffer.from(text)
  if (bytes.length <= most) return text
  const tail = bytes.subarray(bytes.length - most)
  const newline = tail.indexOf(0x0a)
  return newline >= 0 && newline < tail.length - 1
    ? tail.subarray(newline + 1).toString()
    : tail.toString().replace(/^\ufffd+/, '')
}
