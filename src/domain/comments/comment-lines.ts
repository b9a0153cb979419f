import { type Before, closesFence, endsItem, type Fence, fenceIn, isBlank } from './code-fence.ts'
import { startsHidden } from './hidden-text.ts'
import { beginsHtml } from './html-tag.ts'
import { type OpenElements, openElements } from './open-elements.ts'
import { rawHtml } from './raw-html.ts'

/*
 * The lines of a comment that its author says, as GitHub shows them (GitHub Flavored Markdown, sections 4 and 5): no fenced or
 * indented code, no quote or footnote, nothing in HTML that is hidden, preformatted or a quote. Where the rules would need a whole parser, a line
 * is left out when in doubt: an ignored command can be written again, but one that nobody gave cannot be taken back.
 */

type Html = { kind: 'html'; end: RegExp }
/** `inDoubt`: it is not known any more what is code in it, nor so whether what it says goes on in the next line. */
type Quote = { fence?: Fence | undefined; inParagraph: boolean; inDoubt?: true }

/** Quotes within items of lists within quotes: nobody writes more. */
const mostDepth = 10

const noQuote: Quote = { inParagraph: false }

/** `1. - `: a fence or a quote may begin after the marks of list items. */
const LIST_MARKS = /^(?: {0,3}(?:[-+*]|\d{1,9}[.)])[ \t]{1,4}(?=\S))+/
const QUOTE_MARKS = /^(?: {0,3}> ?)+/
/** A note that nothing refers to is not shown, and another one is far from where it is written. */
const NOTE_MARK = /^ {0,3}\[\^[^\]\s]+\]:[ \t]*/
const NEW_BLOCK = /^ {0,3}(?:#{1,6}(?:[ \t]|$)|[-+*][ \t]|\d{1,9}[.)][ \t]|(?:[-*_] *){3,}$)/
const HEADING = /^ {0,3}(?:#{1,6}(?:[ \t]|$)|=+[ \t]*$)/

const HTML: readonly (Html & { start: RegExp })[] = [
  { kind: 'html', start: /^ {0,3}<!--/, end: /-->/ },
  { kind: 'html', start: /^ {0,3}<(?:pre|script|style|textarea)\b/i, end: /<\/(?:pre|script|style|textarea)>/i },
  { kind: 'html', start: /^ {0,3}<\?/, end: /\?>/ },
  { kind: 'html', start: /^ {0,3}<!\[CDATA\[/, end: /\]\]>/ },
  { kind: 'html', start: /^ {0,3}<![A-Za-z]/, end: />/ },
]

/** As of other tags. */
const untilBlank: Html = { kind: 'html', end: /^[ \t]*$/ }

/** By four columns or a tab. */
const INDENT = /^(?: {4}| {0,3}\t)/
const isIndented = (line: string): boolean => INDENT.test(line)

/** What a line opens that continues after it. */
const opened = (line: string, content: string, before: Before): Fence | Html | undefined =>
  fenceIn(line, content, before) ??
  HTML.find(({ start }) => start.test(content)) ??
  (!isIndented(content) && beginsHtml(content, before.inParagraph) ? untilBlank : undefined)

const closes = (open: Fence | Html, line: string): boolean =>
  open.kind === 'fence' ? closesFence(open, line) : open.end.test(line)

const unquoted = (line: string): string => line.replace(NOTE_MARK, '').replace(QUOTE_MARKS, '')

const afterQuoted = (quote: Quote, said: string): Quote => {
  const { fence, inParagraph, inDoubt } = quote
  if (inDoubt) return quote
  if (fence !== undefined && endsItem(fence, said)) return { inParagraph: true, inDoubt: true }
  if (fence !== undefined) return closesFence(fence, said) ? noQuote : { fence, inParagraph: false }
  const content = said.replace(LIST_MARKS, '')
  // which items are open is not kept for quotes: one may be
  const begun = fenceIn(said, content, { inItem: content === said, inParagraph })
  if (begun !== undefined) return { fence: begun, inParagraph: false }
  const isCode = isIndented(said) && !inParagraph
  return { inParagraph: !isBlank(said) && !isCode && !/^ {0,3}#{1,6}[ \t]/.test(said) }
}

const noteHtml = (block: readonly string[], elements: OpenElements): void => {
  const { marks, isCut } = rawHtml(block.join('\n'))
  for (const mark of marks) elements.take(mark)
  if (isCut) elements.lose()
}

/** What a quote or a footnote leaves open. */
const noteQuoted = (lines: readonly string[], elements: OpenElements, depth: number): void => {
  if (lines.length === 0) return
  const inside = openElements()
  if (depth < mostDepth) saidIn(lines, inside, depth + 1)
  else inside.lose()
  elements.after(inside)
}

/** Whether what follows is code is in doubt. */
const cutShort = (said: string[], elements: OpenElements): string[] => {
  elements.lose()
  return said
}

/** The lines that a comment's author says, trimmed, in order. Linear in the length of the comment. */
export const saidLines = (body: string): string[] => saidIn(body.split(/\r\n|\r|\n/), openElements(), 0)

/** `elements`: those of HTML that are open where the lines begin, and where they end. */
const saidIn = (lines: readonly string[], elements: OpenElements, depth: number): string[] => {
  const said: string[] = []
  let open: Fence | Html | undefined
  let quote = noQuote
  let [isNote, isList] = [false, false]
  let paragraph: string[] = []
  let html: string[] = []
  let quoted: string[] = []
  const endParagraph = (): void => {
    if (paragraph.length === 0) return
    const hidden = startsHidden(paragraph, elements)
    for (const [at, line] of paragraph.entries()) if (!hidden[at] && !isIndented(line)) said.push(line.trim())
    paragraph = []
  }
  const endHtml = (): void => {
    noteHtml(html, elements)
    html = []
    open = undefined
  }
  const endQuote = (): void => {
    noteQuoted(quoted, elements, depth)
    quoted = []
    quote = noQuote
  }
  const addQuoted = (line: string): void => {
    const text = unquoted(line)
    quoted.push(text)
    quote = afterQuoted(quote, text)
  }
  const addSaid = (line: string): void => {
    endQuote()
    isNote = false
    if (NEW_BLOCK.test(line) || HEADING.test(line)) endParagraph()
    if (paragraph.length > 0 || !isIndented(line)) {
      isList = LIST_MARKS.test(line) || (isList && (paragraph.length > 0 || /^[ \t]/.test(line)))
      paragraph.push(line)
    } else if (isList) quoted.push(line.trimStart())
    if (HEADING.test(line)) endParagraph()
  }
  for (const line of lines) {
    const content = line.replace(LIST_MARKS, '')
    const before = { inItem: isList, inParagraph: paragraph.length > 0 }
    const begun = open === undefined ? opened(line, content, before) : undefined
    if (open?.kind === 'fence' && endsItem(open, line)) return cutShort(said, elements)
    if (open !== undefined) {
      if (open.kind === 'html') html.push(line)
      if (!closes(open, line)) continue
      if (open.kind === 'html') endHtml()
      open = undefined
    } else if (isBlank(line)) {
      endParagraph()
      endQuote()
    } else if (QUOTE_MARKS.test(content) || NOTE_MARK.test(content) || (isNote && isIndented(line))) {
      endParagraph()
      addQuoted(isNote ? content.replace(INDENT, '') : content)
      isNote ||= NOTE_MARK.test(content)
    } else if (begun !== undefined) {
      endParagraph()
      endQuote()
      isNote = false
      isList ||= content !== line
      open = begun
      if (begun.kind === 'html') html.push(content)
      if (begun.kind === 'html' && begun.end.test(content)) endHtml()
    } else if (quote.inParagraph && !NEW_BLOCK.test(line)) {
      // a line right after a quote's paragraph, without a blank line between them, is shown as part of the quote
      quoted.push(line)
    } else addSaid(line)
  }
  endParagraph()
  endQuote()
  if (open?.kind === 'html') endHtml()
  return said
}
