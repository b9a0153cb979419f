import { afterMatch } from './after-match.ts'
import { isMarked, type Mark } from './open-elements.ts'

/** `isCut`: it ends within a tag or a comment, which takes in what follows. */
export type RawHtml = { marks: Mark[]; isCut: boolean }

const TAG = /<(\/?)([a-z][^\s/<>]*)/iy
const COMMENT = /<!--/y
const COMMENT_END = /--!?>/g
const DECLARED = /<[!?]/y
const BEFORE_EQUALS = /[^>=]*/y
const EQUALS = /=\s*/y

/** The mark of an element that matters here, and where its name ends. */
export const markAt = (text: string, at: number): { mark?: Mark; nameEnd: number } | undefined => {
  TAG.lastIndex = at
  const [, slash, word = ''] = TAG.exec(text) ?? []
  if (slash === undefined) return undefined
  const nameEnd = TAG.lastIndex
  const name = word.toLowerCase()
  // `</details<>` is the end of something else
  const isOther = slash === '/' && text[nameEnd] === '<'
  return isMarked(name) && !isOther ? { mark: { at, name, closes: slash === '/' }, nameEnd } : { nameEnd }
}

/** Where a browser ends a tag: at the first `>` that is not in the value of an attribute. */
const tagEnd = (text: string, nameEnd: number): number | undefined => {
  let at: number | undefined = nameEnd
  while (at !== undefined) {
    at = afterMatch(BEFORE_EQUALS, text, at) ?? at
    if (text[at] === '>') return at + 1
    at = afterMatch(EQUALS, text, at)
    const quote = at === undefined ? undefined : text[at]
    if (at === undefined || (quote !== '"' && quote !== "'")) continue
    const close = text.indexOf(quote, at + 1)
    at = close < 0 ? undefined : close + 1
  }
  return undefined
}

const commentEnd = (text: string, at: number): number | undefined => {
  COMMENT_END.lastIndex = at + 2
  return COMMENT_END.test(text) ? COMMENT_END.lastIndex : undefined
}

/**
 * The marks of a block of HTML, where nothing is Markdown. What looks like the beginning of an element within a tag counts as one,
 * being in doubt; what looks like its end does not.
 */
export const rawHtml = (text: string): RawHtml => {
  const marks: Mark[] = []
  let passed = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const found = markAt(text, at)
    if (found?.mark !== undefined && !(found.mark.closes && at < passed)) marks.push(found.mark)
    if (at < passed) continue
    let end: number | undefined = at + 1
    if (found !== undefined) end = tagEnd(text, found.nameEnd)
    else if (afterMatch(COMMENT, text, at) !== undefined) end = commentEnd(text, at)
    else if (afterMatch(DECLARED, text, at) !== undefined) end = text.indexOf('>', at) + 1 || undefined
    if (end === undefined) return { marks, isCut: true }
    passed = end
    if (found === undefined) at = end - 1
  }
  return { marks, isCut: false }
}
