import { startsHidden } from './hidden-text.ts'
import { beginsHtml } from './html-tag.ts'
import { type OpenElements, openElements } from './open-elements.ts'
import { rawHtml } from './raw-html.ts'

/*
 * The lines of a comment that its author says, as GitHub shows them (GitHub Flavored Markdown, sections 4 and 5): no fenced or
 * indented code, no quote or footnote, nothing in HTML that is hidden, preformatted or a quote. Where the rules would need a whole parser, a line
 * is left out when in doubt: an ignored command can be written again, but one that nobody gave cannot be taken back.
 */

type Fence = { kind: 'fence'; mark: string; length: number }
type Html = { kind: 'html'; end: RegExp }
type Quote = { fence?: Fence | undefined; inParagraph: boolean }

/** Quotes within items of lists within quotes: nobody writes more. */
const mostDepth = 10

const noQuote: Quote = { inParagraph: false }

/** `1. - `: a fence or a quote may begin after the marks of list items. */
const LIST_MARKS = /^(?: {0,3}(?:[-+*]|\d{1,9}[.)])[ \t]{1,4}(?=\S))+/
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/s
const QUOTE_MARKS = /^(?: {0,3}> ?)+/
/** A note that nothing refers to is not shown, and another one is far from where it is written. */
const NOTE_MARK = /^ {0,3}\[\^[^\]\s]+\]:[ \t]*/
const NEW_BLOCK = /^ {0,3}(?:#{1,6}(?:\s|$)|[-+*]\s|\d{1,9}[.)]\s|(?:[-*_] *){3,}$)/
const HEADING = /^ {0,3}(?:#{1,6}(?:\s|$)|=+\s*$)/

const HTML: readonly (Html & { start: RegExp })[] = [
  { kind: 'html', start: /^ {0,3}<!--/, end: /-->/ },
  { kind: 'html', start: /^ {0,3}<(?:pre|script|style|textarea)\b/i, end: /<\/(?:pre|script|style|textarea)>/i },
  { kind: 'html', start: /^ {0,3}<\?/, end: /\?>/ },
  { kind: 'html', start: /^ {0,3}<!\[CDATA\[/, end: /\]\]>/ },
  { kind: 'html', start: /^ {0,3}<![A-Za-z]/, end: />/ },
]

/** As of other tags. */
const untilBlank: Html = { kind: 'html', end: /^\s*$/ }

const isBlank = (line: string): boolean => line.trim() === ''

/** By four columns or a tab. */
const INDENT = /^(?: {4}| {0,3}\t)/
const isIndented = (line: string): boolean => INDENT.test(line)

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
  (!isIndented(line) && beginsHtml(line, inParagraph) ? untilBlank : undefined)

const closes = (open: Fence | Html, line: string): boolean =>
  open.kind === 'fence' ? closesFence(open, line) : open.end.test(line)

const unquoted = (line: string): string => line.replace(NOTE_MARK, '').replace(QUOTE_MARKS, '')

const afterQuoted = ({ fence, inParagraph }: Quote, said: string): Quote => {
  if (fence !== undefined) return closesFence(fence, said) ? noQuote : { fence, inParagraph: false }
  const begun = fenceOf(said.replace(LIST_MARKS, ''))
  if (begun !== undefined) return { fence: begun, inParagraph: false }
  const isCode = isIndented(said) && !inParagraph
  return { inParagraph: !isBlank(said) && !isCode && !/^ {0,3}#{1,6}\s/.test(said) }
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
      isList = LIST_MARKS.test(line) || (isList && paragraph.length > 0)
      paragraph.push(line)
    } else if (isList) quoted.push(line.trimStart())
    if (HEADING.test(line)) endParagraph()
  }
  for (const line of lines) {
    const isEmpty = isBlank(line)
    const content = isEmpty ? '' : line.replace(LIST_MARKS, '')
    const begun = open === undefined && !isEmpty ? opened(content, paragraph.length > 0) : undefined
    if (open !== undefined) {
      if (open.kind === 'html') html.push(line)
      if (!closes(open, line)) continue
      if (open.kind === 'html') endHtml()
      open = undefined
    } else if (isEmpty) {
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
