import { afterMatch } from './after-match.ts'

/*
 * The titles of links, which a page shows when the pointer is over them, and definitions of links, which it does not show at
 * all (GitHub Flavored Markdown, sections 4.7 and 6.6).
 */

const TITLES: readonly { open: string; whole: RegExp }[] = [
  { open: '"', whole: /"(?:[^"\\]|\\[\s\S])*"/y },
  { open: "'", whole: /'(?:[^'\\]|\\[\s\S])*'/y },
  { open: '(', whole: /\((?:[^()\\]|\\[\s\S])*\)/y },
]

const OPENING = /\(\s*/y
const SPACE = /\s+/y
/** An address between angle brackets may have spaces. */
const BRACKETED = /<(?:[^<>\n\\]|\\[^\n])*>/y
const CLOSING = /\s*\)/y
const LABEL = /\[(?:[^[\]\\]|\\[\s\S]){1,999}\]:\s*/y
const REST_OF_LINE = /[ \t]*(?:\n|$)/y

const afterTitle = (text: string, at: number | undefined): number | undefined => {
  const title = TITLES.find(({ open }) => at !== undefined && text[at] === open)
  return title === undefined ? undefined : afterMatch(title.whole, text, at)
}

/** Where the next white space is, or the end. */
const spaceAfter = (text: string, from: number): number => {
  const found = text.slice(from).search(/\s/)
  return found < 0 ? text.length : from + found
}

/** The same for ascending positions, which keeps all of them together linear. */
const nextSpaces = (text: string): ((from: number) => number) => {
  let known = -1
  return (from) => {
    if (known < from) known = spaceAfter(text, from)
    return known
  }
}

/** Where the link ends that has a title after its address. Many addresses may have the same end, so it is kept for each. */
const titledEnds = (text: string): ((addressEnd: number) => number | undefined) => {
  const known = new Map<number, number | undefined>()
  return (addressEnd) => {
    if (!known.has(addressEnd)) {
      const title = afterTitle(text, afterMatch(SPACE, text, addressEnd))
      known.set(addressEnd, afterMatch(CLOSING, text, title))
    }
    return known.get(addressEnd)
  }
}

/**
 * For a position after a bracket, the end of the link's target `(address "title")` or `(<address>)`; asked in ascending order.
 * Another address has neither white space nor HTML, so without a title nothing that matters is inside.
 */
export const titledTargets = (text: string): ((at: number) => number | undefined) => {
  const nextSpace = nextSpaces(text)
  const titledEnd = titledEnds(text)
  return (at) => {
    const address = afterMatch(OPENING, text, at)
    if (address === undefined) return undefined
    const end = afterMatch(BRACKETED, text, address)
    return afterMatch(CLOSING, text, end) ?? titledEnd(end ?? nextSpace(address))
  }
}

/** The end of the definition `[label]: address "title"` that begins here; undefined if none does. */
export const definitionEnd = (text: string, at: number): number | undefined => {
  const address = afterMatch(LABEL, text, at)
  if (address === undefined || address === text.length) return undefined
  const end = afterMatch(BRACKETED, text, address) ?? spaceAfter(text, address)
  const title = afterTitle(text, afterMatch(SPACE, text, end))
  return afterMatch(REST_OF_LINE, text, title) ?? afterMatch(REST_OF_LINE, text, end)
}
