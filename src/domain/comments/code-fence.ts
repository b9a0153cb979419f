/*
 * Fenced code of a comment, as GitHub shows it. Code that begins in an item of a list ends with the item: a fence mark that is
 * indented less than the item's text does not end the code, but begins other code.
 */

/** `within`: how far the lines of its item are indented at least; 0 if it is in none. */
export type Fence = { kind: 'fence'; mark: string; length: number; within: number }

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/s
/** Anything but 1, which is a line of the paragraph before it. */
const OTHER_NUMBER = /^ *(?!0*1[.)])\d/

/** White space of other kinds is text to GitHub. */
export const isBlank = (line: string): boolean => /^[ \t]*$/.test(line)

/** How many columns the text takes, with a tab stop at every fourth. */
const columnsOf = (text: string): number => {
  let columns = 0
  for (const char of text) columns += char === '\t' ? 4 - (columns % 4) : 1
  return columns
}

const indentOf = (line: string): number => columnsOf(/^[ \t]*/.exec(line)?.[0] ?? '')

/** Whether an item of a list, or a paragraph, may be open where a line begins. */
export type Before = { inItem: boolean; inParagraph: boolean }

const withinOf = (line: string, content: string, { inItem, inParagraph }: Before): number => {
  if (content === line) return inItem ? indentOf(line) : 0
  // 2. may not begin an item there, and then it is not this fence that begins code but the next
  if (inParagraph && OTHER_NUMBER.test(line) && (!inItem || indentOf(line) > 0)) return Number.POSITIVE_INFINITY
  return columnsOf(line.slice(0, line.length - content.length))
}

/** The fence that a line opens; `content` is what it says after the marks of items. */
export const fenceIn = (line: string, content: string, before: Before): Fence | undefined => {
  const [, marks = '', info = ''] = FENCE.exec(content) ?? []
  const mark = marks[0]
  // ```svc apply``` on one line is code within a paragraph.
  if (mark === undefined || (mark === '`' && info.includes('`'))) return undefined
  return { kind: 'fence', mark, length: marks.length, within: withinOf(line, content, before) }
}

/** Whether the item in which the fence began is over. */
export const endsItem = ({ within }: Fence, line: string): boolean => !isBlank(line) && indentOf(line) < within

export const closesFence = ({ mark, length }: Fence, line: string): boolean => {
  const [, marks = '', info = ''] = FENCE.exec(line) ?? []
  return marks[0] === mark && marks.length >= length && isBlank(info)
}
