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

/**
 * For a position after a bracket, the end of the link's target `(address "title")` if it has a title; asked in ascending order.
 * An address has no white space, so without a title no line begins inside.
 */
export const titledTargets = (text: string): ((at: number) => number | undefined) => {
  const nextSpace = nextSpaces(text)
  return (at) => {
    const address = afterMatch(OPENING, text, at)
    if (address === undefined) return undefined
    const title = afterTitle(text, afterMatch(SPACE, text, nextSpace(address)))
    return afterMatch(CLOSING, text, title)
  }
}

/** The end of the definition `[label]: address "title"` that begins here; undefined if none does. */
export const definitionEnd = (text: string, at: number): number | undefined => {
  const address = afterMatch(LABEL, text, at)
  if (address === undefined || address === text.length) return undefined
  const end = spaceAfter(text, address)
  const title = afterTitle(text, afterMatch(SPACE, text, end))
  return afterMatch(REST_OF_LINE, text, title) ?? afterMatch(REST_OF_LINE, text, end)
}
