import { hiddenUntil, tagAt } from './html-tag.ts'
import { definitionEnd, titledTargets } from './link-title.ts'

/*
 * Text within a paragraph of Markdown that its author does not say: code between backticks, HTML with the values of its
 * attributes, titles of links and what stands for an image. Each may span several lines.
 */

type Stretch = [from: number, to: number]

/**
 * Where the next run of exactly so many backticks begins. Calls must ask with ascending positions, which keeps all of them
 * together linear.
 */
const closingRuns = (text: string): ((length: number, from: number) => number | undefined) => {
  const places = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const known = places.get(run.length)
    if (known === undefined) places.set(run.length, [index])
    else known.push(index)
  }
  for (const known of places.values()) known.reverse()
  return (length, from) => {
    const known = places.get(length) ?? []
    while ((known.at(-1) ?? from) < from) known.pop()
    return known.at(-1)
  }
}

const runLength = (text: string, from: number): number => {
  let to = from
  while (text[to] === '`') to += 1
  return to - from
}

/**
 * Where the HTML that begins at a position ends; the end of the paragraph if nothing closes hidden text. Tags that are never
 * closed are looked for within four times the paragraph's length: what follows a tag after that is left out, being in doubt.
 */
const htmlEnds = (text: string): ((at: number) => number | undefined) => {
  const lower = text.toLowerCase()
  let left = 4 * text.length
  return (at) => {
    const until = hiddenUntil(text, at)
    if (until !== undefined) {
      const found = lower.indexOf(until, at)
      return found < 0 ? text.length : found + until.length
    }
    if (left <= 0) return text.length
    const { end, looked } = tagAt(text, at)
    left -= looked - at
    return end
  }
}

/** The text that stands for images, `![…]`, and the titles of links. Asked with ascending positions. */
const bracketed = (text: string): ((at: number, isImage: boolean) => Stretch[]) => {
  const open: { from: number; isImage: boolean }[] = []
  const targetEnd = titledTargets(text)
  return (at, isImage) => {
    if (text[at] === '[') {
      open.push({ from: at, isImage })
      const end = isLineStart(text, at) ? definitionEnd(text, at) : undefined
      return end === undefined ? [] : [[at, end]]
    }
    const opener = open.pop()
    if (opener === undefined) return []
    const end = targetEnd(at + 1)
    const image: Stretch[] = opener.isImage ? [[opener.from, at]] : []
    return end === undefined ? image : [...image, [at, end]]
  }
}

/** Only marks of lists and quotes before it. No more of a line is looked at than a writer indents. */
const isLineStart = (text: string, at: number): boolean =>
  /(?:^|\n)[ \t>*+\-\d.)]*$/.test(text.slice(Math.max(0, at - 40), at))

/** The hidden stretches of a text as offsets, by where they begin. */
const hiddenStretches = (text: string): Stretch[] => {
  const stretches: Stretch[] = []
  const closing = closingRuns(text)
  const htmlEnd = htmlEnds(text)
  const inBrackets = bracketed(text)
  for (let at = 0; at < text.length; ) {
    const char = text[at]
    if (char === '\\') at += 2
    else if (char === '`') {
      const length = runLength(text, at)
      const end = closing(length, at + length)
      if (end !== undefined) stretches.push([at, end + length])
      at = end === undefined ? at + length : end + length
    } else if (char === '[' || char === ']' || text.startsWith('![', at)) {
      const isImage = char === '!'
      if (isImage) at += 1
      stretches.push(...inBrackets(at, isImage))
      at += 1
    } else {
      const end = char === '<' ? htmlEnd(at) : undefined
      if (end !== undefined) stretches.push([at, end])
      at = end ?? at + 1
    }
  }
  return stretches.sort(([one], [other]) => one - other)
}

/** For each line of a paragraph, whether it begins inside hidden text. */
export const startsHidden = (lines: readonly string[]): boolean[] => {
  const stretches = hiddenStretches(lines.join('\n'))
  let [offset, next, hiddenTo] = [0, 0, 0]
  return lines.map((line) => {
    for (let one = stretches[next]; one !== undefined && one[0] < offset; one = stretches[next]) {
      hiddenTo = Math.max(hiddenTo, one[1])
      next += 1
    }
    const isHidden = hiddenTo > offset
    offset += line.length + 1
    return isHidden
  })
}
