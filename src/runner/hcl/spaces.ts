/*
 * What HCL counts as space at a line's ends is Unicode's White_Space, as Go's unicode.IsSpace has it. JavaScript's `\s` and
 * `trim` take the byte order mark (U+FEFF) for a space, too, and the next line (U+0085) for none.
 */

const INDENT = /^\p{White_Space}*/u
const BLANK = /^\p{White_Space}*$/u

/** How many spaces a line begins with. */
export const indentOf = (line: string): number => INDENT.exec(line)?.[0].length ?? 0

/** Whether a text has nothing but spaces. */
export const isBlank = (text: string): boolean => BLANK.test(text)
