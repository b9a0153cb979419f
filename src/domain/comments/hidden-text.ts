/*
 * Text within a paragraph of Markdown that its author does not say: code between backticks, and HTML comments, code and quotes.
 * Each may span several lines.
 */

const HTML: readonly { start: RegExp; end: string }[] = [
  { start: /<!--/y, end: '-->' },
  { start: /<pre\b/iy, end: '</pre>' },
  { start: /<code\b/iy, end: '</code>' },
  { start: /<blockquote\b/iy, end: '</blockquote>' },
]

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

/** Where the HTML that begins here ends; the end of the paragraph if nothing closes it. */
const htmlEnd = (text: string, lower: string, at: number): number | undefined => {
  for (const { start, end } of HTML) {
    start.lastIndex = at
    if (!start.test(text)) continue
    const found = lower.indexOf(end, at)
    return found < 0 ? text.length : found + end.length
  }
  return undefined
}

/** The hidden stretches of a text, in order, as offsets. */
const hiddenStretches = (text: string): [from: number, to: number][] => {
  const stretches: [number, number][] = []
  const lower = text.toLowerCase()
  const closing = closingRuns(text)
  for (let at = 0; at < text.length; ) {
    const char = text[at]
    if (char === '\\') at += 2
    else if (char === '`') {
      const length = runLength(text, at)
      const end = closing(length, at + length)
      if (end !== undefined) stretches.push([at, end + length])
      at = end === undefined ? at + length : end + length
    } else {
      const end = char === '<' ? htmlEnd(text, lower, at) : undefined
      if (end !== undefined) stretches.push([at, end])
      at = end ?? at + 1
    }
  }
  return stretches
}

/** For each line of a paragraph, whether it begins inside hidden text. */
export const startsHidden = (lines: readonly string[]): boolean[] => {
  const stretches = hiddenStretches(lines.join('\n'))
  let [offset, next] = [0, 0]
  return lines.map((line) => {
    while ((stretches[next]?.[1] ?? Number.POSITIVE_INFINITY) <= offset) next += 1
    const hidden = (stretches[next]?.[0] ?? Number.POSITIVE_INFINITY) < offset
    offset += line.length + 1
    return hidden
  })
}
