import { autolinkEnd, declaredUntil, tagAt } from './html-tag.ts'
import { definitionEnd, titledTargets } from './link-title.ts'
import { type Mark, type OpenElements, openElements } from './open-elements.ts'
import { markAt, rawHtml } from './raw-html.ts'

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

/** What begins with `<`: where it is hidden to, where reading goes on, and elements that it opens or closes. */
type Html = { hiddenTo?: number; next: number; marks: Mark[]; isLost?: boolean }

/**
 * The HTML that begins at a position. Tags that are never closed are looked for within four times the paragraph's length: what
 * follows a tag after that is lost. Asked with ascending positions.
 */
const htmlIn = (text: string): ((at: number) => Html) => {
  const missing = new Set<string>()
  let left = 4 * text.length
  const declared = (at: number, until: string): Html => {
    const found = missing.has(until) ? -1 : text.indexOf(until, at + 2)
    if (found < 0) {
      missing.add(until)
      return { hiddenTo: text.length, next: at + 1, marks: [] }
    }
    const end = found + until.length
    const marks = rawHtml(text.slice(at, end)).marks.map((mark) => ({ ...mark, at: mark.at + at }))
    return { hiddenTo: end, next: end, marks }
  }
  return (at) => {
    const until = declaredUntil(text, at)
    if (until !== undefined) return declared(at, until)
    const address = autolinkEnd(text, at)
    if (address !== undefined) return { next: address, marks: [] }
    if (left <= 0) return { hiddenTo: text.length, next: text.length, marks: [], isLost: true }
    const { end, looked } = tagAt(text, at)
    left -= looked - at
    if (end === undefined) return { next: at + 1, marks: [] }
    const mark = markAt(text, at)?.mark
    return { hiddenTo: end, next: end, marks: mark === undefined ? [] : [mark] }
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

type Read = { stretches: Stretch[]; marks: Mark[]; isLost: boolean }

/** What a link or an image does not show closes nothing: a browser never sees it. */
const seen = (marks: readonly Mark[], unseen: readonly Stretch[]): Mark[] => {
  let [next, to] = [0, 0]
  return marks.filter(({ at, closes }) => {
    for (let one = unseen[next]; one !== undefined && one[0] < at; one = unseen[next]) {
      to = Math.max(to, one[1])
      next += 1
    }
    return !(closes && at < to)
  })
}

const byPlace = ([one]: Stretch, [other]: Stretch): number => one - other

/** The hidden stretches of a text as offsets, by where they begin, and the marks of elements. */
const readText = (text: string): Read => {
  const stretches: Stretch[] = []
  const linked: Stretch[] = []
  const marks: Mark[] = []
  const closing = closingRuns(text)
  const htmlAt = htmlIn(text)
  const inBrackets = bracketed(text)
  let isLost = false
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
      linked.push(...inBrackets(at, isImage))
      at += 1
    } else if (char === '<') {
      const html = htmlAt(at)
      if (html.hiddenTo !== undefined) stretches.push([at, html.hiddenTo])
      marks.push(...html.marks)
      isLost ||= html.isLost === true
      at = html.next
    } else at += 1
  }
  return { stretches: [...stretches, ...linked].sort(byPlace), marks: seen(marks, linked.sort(byPlace)), isLost }
}

/** For each line of a paragraph, whether it begins inside hidden text; what the paragraph opens or closes is noted in `open`. */
export const startsHidden = (lines: readonly string[], open: OpenElements = openElements()): boolean[] => {
  const { stretches, marks, isLost } = readText(lines.join('\n'))
  let [offset, next, hiddenTo, taken] = [0, 0, 0, 0]
  const takeUntil = (end: number): void => {
    for (let mark = marks[taken]; mark !== undefined && mark.at < end; mark = marks[taken]) {
      open.take(mark)
      taken += 1
    }
  }
  const read = (): boolean[] => {
    const hidden = lines.map((line) => {
      for (let one = stretches[next]; one !== undefined && one[0] < offset; one = stretches[next]) {
        hiddenTo = Math.max(hiddenTo, one[1])
        next += 1
      }
      takeUntil(offset)
      const isHidden = hiddenTo > offset || open.isHiding()
      offset += line.length + 1
      return isHidden
    })
    takeUntil(Number.POSITIVE_INFINITY)
    return hidden
  }
  // a line with a pipe may be a row of a table
  const hidden = lines.some((line) => line.includes('|')) ? open.apart(read) : read()
  if (isLost) open.lose()
  return hidden
}
