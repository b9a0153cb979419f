import { startsHidden } from './hidden-text.ts'
import { beginsHtml } from './html-tag.ts'

/*
 * The lines of a comment that its author says, as GitHub shows them (GitHub Flavored Markdown, sections 4 and 5): no fenced or
 * indented code, no quote, no HTML that is hidden, preformatted or a quote. Where the rules would need a whole parser, a line
 * is left out when in doubt: an ignored command can be written again, but one that nobody gave cannot be taken back.
 */

type Fence = { kind: 'fence'; mark: string; length: number }
type Html = { kind: 'html'; end: RegExp }
type Quote = { fence?: Fence | undefined; inParagraph: boolean }

const noQuote: Quote = { inParagraph: false }

/** `1. - `: a fence or a quote may begin after the marks of list items. */
const LIST_MARKS = /^(?: {0,3}(?:[-+*]|\d{1,9}[.)])[ \t]{1,4}(?=\S))+/
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/s
const QUOTE_MARKS = /^(?: {0,3}> ?)+/
const NEW_BLOCK = /^ {0,3}(?:#{1,6}(?:\s|$)|[-+*]\s|\d{1,9}[.)]\s|(?:[-*_] *){3,}$)/

const HTML: readonly (Html & { start: RegExp })[] = [
  { kind: 'html', start: /^ {0,3}<!--/, end: /-->/ },
  { kind: 'html', start: /^ {0,3}<(?:pre|script|style|textarea)\b/i, end: /<\/(?:pre|script|style|textarea)>/i },
  { kind: 'html', start: /^ {0,3}<blockquote\b/i, end: /<\/blockquote>/i },
  { kind: 'html', start: /^ {0,3}<details\b/i, end: /<\/details>/i },
  { kind: 'html', start: /^ {0,3}<\?/, end: /\?>/ },
  { kind: 'html', start: /^ {0,3}<!\[CDATA\[/, end: /\]\]>/ },
  { kind: 'html', start: /^ {0,3}<![A-Za-z]/, end: />/ },
]

/** As of other tags. */
const untilBlank: Html = { kind: 'html', end: /^\s*$/ }

const isBlank = (line: string): boolean => line.trim() === ''

/** By four columns or a tab. */
const isIndented = (line: string): boolean => /^(?: {4}| {0,3}\t)/.test(line)

const fenceOf = (line: string): Fence | undefined => {
  const [, marks = '', info = ''] = FENCE.exec(line) ?? []
  const mark = marks[0]
  // ```svc apply``` on one line is code within a paragraph.
  if (mark === undefined || (mark === '`' && info.includes('`'))) return undefined
  return { kind: 'fence', mark, length: marks.length }
}

const closesFence = ({ mark, length }: Fence, line: string): boolean => {
  const [, marks = '', info = ''] = FENCE.exec(line) ?? []
  return marks[0] === mark && marks.length >= length && isBlank(info)
}

/** What a line opens that continues after it. */
const opened = (line: string, inParagraph: boolean): Fence | Html | undefined =>
  fenceOf(line) ??
  HTML.find(({ start }) => start.test(line)) ??
  (beginsHtml(line, inParagraph) ? untilBlank : undefined)

const closes = (open: Fence | Html, line: string): boolean =>
  open.kind === 'fence' ? closesFence(open, line) : open.end.test(line)

const afterQuoted = ({ fence, inParagraph }: Quote, line: string): Quote => {
  const said = line.replace(QUOTE_MARKS, '')
  if (fence !== undefined) return closesFence(fence, said) ? noQuote : { fence, inParagraph: false }
  const begun = fenceOf(said.replace(LIST_MARKS, ''))
  if (begun !== undefined) return { fence: begun, inParagraph: false }
  const isCode = isIndented(said) && !inParagraph
  return { inParagraph: !isBlank(said) && !isCode && !/^ {0,3}#{1,6}\s/.test(said) }
}

/** The lines that a comment's author says, trimmed, in order. Linear in the length of the comment. */
export const saidLines = (body: string): string[] => {
  const said: string[] = []
  let open: Fence | Html | undefined
  let quote = noQuote
  let paragraph: string[] = []
  const endParagraph = (): void => {
    const hidden = startsHidden(paragraph)
    for (const [at, line] of paragraph.entries()) if (!hidden[at] && !isIndented(line)) said.push(line.trim())
    paragraph = []
  }
  for (const line of body.split(/\r\n|\r|\n/)) {
    const content = line.replace(LIST_MARKS, '')
    const begun = open === undefined ? opened(content, paragraph.length > 0) : undefined
    if (open !== undefined) {
      if (closes(open, line)) open = undefined
    } else if (isBlank(line)) {
      endParagraph()
      quote = noQuote
    } else if (QUOTE_MARKS.test(content)) {
      endParagraph()
      quote = afterQuoted(quote, content)
    } else if (begun !== undefined) {
      endParagraph()
      quote = noQuote
      if (begun.kind === 'fence' || !begun.end.test(content)) open = begun
    } else if (!quote.inParagraph || NEW_BLOCK.test(line)) {
      // A line right after a quote's paragraph, without a blank line between them, is shown as part of the quote.
      quote = noQuote
      if (paragraph.length > 0 || !isIndented(line)) paragraph.push(line)
    }
  }
  endParagraph()
  return said
}
