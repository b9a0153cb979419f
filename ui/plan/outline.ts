import { type Does, headingOf, reasonOf } from './heading.ts'

/** Lines that belong together: `from` is the first, `to` the one behind the last, both counted from 0. */
type Span = { from: number; to: number }

/** A resource, or what stands before, between and after them. */
export type Section = Span & ({ kind: 'resource'; address: string; does: Does; why?: string } | { kind: 'rest' })

export type Resource = Extract<Section, { kind: 'resource' }>

export type Outline = {
  lines: readonly string[]
  /** In the order of the text. Empty lines around them belong to none. */
  sections: readonly Section[]
  /** `Plan: 2 to add, 1 to change, 2 to destroy.`, where the text says so. */
  totals: string | undefined
}

/** Where a resource's own lines end: its brace stands below the `r` of `resource`. */
const closing = '    }'

/**
 * A plan's text in parts, by one walk through its lines. What is not understood is a part without a name, and nothing is lost: the
 * numbers of lines are those of the text.
 */
export const outlineOf = (text: string): Outline => {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const sections: Section[] = []
  let totals: string | undefined
  let restFrom = 0
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line.startsWith('Plan: ')) totals = line.trimEnd()
    const heading = headingOf(line)
    if (heading === undefined) {
      at += 1
      continue
    }
    pushRest(sections, lines, restFrom, at)
    const to = endOf(lines, at)
    const why = heading.why ?? reasonOf(lines[at + 1] ?? '', heading.address) ?? forcedBy(lines, at, to)
    sections.push({ kind: 'resource', from: at, to, ...heading, ...(why === undefined ? {} : { why }) })
    at = to
    restFrom = to
  }
  pushRest(sections, lines, restFrom, lines.length)
  return { lines, sections, totals }
}

/** Behind the brace that closes it, or before the next one: some have a comment and nothing else. */
const endOf = (lines: readonly string[], from: number): number => {
  for (let at = from + 1; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (line.startsWith(closing) && line.trimEnd() === closing) return at + 1
    if (line === '' && !opens(lines, from, at)) return at
    if (headingOf(line) !== undefined) return at
  }
  return lines.length
}

/** Whether a block was opened between two lines: what is moved or forgotten may have none. */
const opens = (lines: readonly string[], from: number, to: number): boolean => {
  for (let at = from + 1; at < to; at += 1) if (lines[at]?.endsWith('{')) return true
  return false
}

const pushRest = (sections: Section[], lines: readonly string[], from: number, to: number): void => {
  let first = from
  let behind = to
  while (first < behind && lines[first]?.trim() === '') first += 1
  while (behind > first && lines[behind - 1]?.trim() === '') behind -= 1
  if (first < behind) sections.push({ kind: 'rest', from: first, to: behind })
}

const forces = '# forces replacement'

/** The first argument that forces a replacement: `name forces it, line 52`. */
const forcedBy = (lines: readonly string[], from: number, to: number): string | undefined => {
  for (let at = from; at < to; at += 1) {
    const line = lines[at] ?? ''
    if (!line.includes(forces)) continue
    const name = /^[\s~+-]*("[^"]*"|[^\s=]+)/.exec(line)?.[1]
    return name === undefined ? undefined : `${name} forces it, line ${at + 1}`
  }
  return undefined
}
