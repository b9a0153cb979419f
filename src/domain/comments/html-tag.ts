import { afterMatch } from './after-match.ts'

/* HTML in Markdown, as far as it decides what a comment says (GitHub Flavored Markdown, sections 4.6 and 6.10). */

const DECLARED: readonly { start: RegExp; end: string }[] = [
  { start: /<!--/y, end: '-->' },
  { start: /<\?/y, end: '?>' },
  { start: /<!\[CDATA\[/y, end: ']]>' },
  { start: /<![A-Za-z]/y, end: '>' },
]

/** What ends the comment, instruction or declaration that begins here; undefined if none does. */
export const declaredUntil = (text: string, at: number): string | undefined =>
  DECLARED.find(({ start }) => afterMatch(start, text, at) !== undefined)?.end

const AUTOLINK = /<(?:[a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9.-]+)>/iy

/** The end of an address between angle brackets, in which a backtick is no code. */
export const autolinkEnd = (text: string, at: number): number | undefined => afterMatch(AUTOLINK, text, at)

const TAG_NAME = /<\/?[A-Za-z][A-Za-z0-9-]*/y
const SPACE = /\s+/y
const ATTRIBUTE = /[A-Za-z_:][\w:.-]*/y
const EQUALS = /\s*=\s*/y
const BARE_VALUE = /[^\s"'=<>`]+/y
const CLOSE = /\s*\/?>/y

const afterValue = (text: string, at: number): number | undefined => {
  const quote = text[at]
  if (quote !== '"' && quote !== "'") return afterMatch(BARE_VALUE, text, at)
  const close = text.indexOf(quote, at + 1)
  return close < 0 ? undefined : close + 1
}

/** A tag that begins at a position: where it ends, if it is one, and how far that was looked for. */
export type Tag = { end?: number; looked: number }

/** The tag that begins here, with the values of its attributes. */
export const tagAt = (text: string, from: number): Tag => {
  let [at, looked] = [afterMatch(TAG_NAME, text, from), from]
  while (at !== undefined) {
    const end = afterMatch(CLOSE, text, at)
    if (end !== undefined) return { end, looked: end }
    looked = at
    const nameEnd = afterMatch(ATTRIBUTE, text, afterMatch(SPACE, text, at))
    if (nameEnd === undefined) return { looked }
    const value = afterMatch(EQUALS, text, nameEnd)
    at = value === undefined ? nameEnd : afterValue(text, value)
  }
  return { looked: looked === from ? from + 1 : text.length }
}

/** Block elements: text after them is HTML up to the next blank line. */
const BLOCKS =
  'address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|' +
  'footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|' +
  'option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|tr|track|ul'

const BLOCK = new RegExp(`^</?(?:${BLOCKS})(?:\\s|/?>|$)`, 'i')

/**
 * Whether a line begins HTML that goes on up to a blank line: with a block element, or with a tag alone on its line, which does
 * not end a paragraph.
 */
export const beginsHtml = (line: string, inParagraph: boolean): boolean => {
  const text = line.trimStart()
  if (!text.startsWith('<')) return false
  if (BLOCK.test(text)) return true
  const { end } = inParagraph ? {} : tagAt(text, 0)
  return end !== undefined && text.slice(end).trim() === ''
}
