import { type Fold, isOpen } from './fold.ts'
import type { LineRange } from './line-range.ts'
import type { Outline, Section } from './outline.ts'

/** Heights in pixels: of a section's own line, of a line of text, and what is below the last one. */
export type Heights = { head: number; line: number; foot: number }

export type Placed = { section: Section; at: number; isOpen: boolean; top: number; height: number }

export type Layout = { placed: readonly Placed[]; height: number }

/** Whether sections have a line of their own, which folds them: a text of one part without a name has none. */
export const hasHeads = ({ sections }: Outline): boolean => sections.length !== 1 || sections[0]?.kind === 'resource'

/** Where every section stands. */
export const layoutOf = (
  { sections }: Outline,
  fold: Fold,
  range: LineRange | undefined,
  { head, line, foot }: Heights,
): Layout => {
  let top = 0
  const placed = sections.map((section, at): Placed => {
    const open = isOpen(section, fold, range, sections.length)
    const height = head + (open ? (section.to - section.from) * line + foot : 0)
    const one = { section, at, isOpen: open, top, height }
    top += height
    return one
  })
  return { placed, height: top }
}

/** The section that a place of the text is in, in pixels from its top; the nearest one outside of it. */
export const sectionAt = ({ placed }: Layout, y: number): number => {
  let [low, high] = [0, placed.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((placed[middle]?.top ?? 0) <= y) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

/** Those that are in view, with some above and below. */
export const placedIn = (layout: Layout, top: number, bottom: number): readonly Placed[] => {
  const last = layout.placed[sectionAt(layout, bottom)]
  return layout.placed.slice(sectionAt(layout, top), (last?.at ?? -1) + 1)
}

/** Lines beyond the edge that are drawn too. */
const spare = 20

/** Which lines of an open section are in view: `from`, and the one behind the last. */
export const linesIn = (
  { section, top }: Placed,
  { head, line }: Heights,
  view: { top: number; bottom: number },
): { from: number; to: number } => {
  const y = (edge: number): number => (edge - top - head) / line
  const count = section.to - section.from
  const from = Math.min(count, Math.max(0, Math.floor(y(view.top)) - spare))
  const to = Math.max(from, Math.min(count, Math.ceil(y(view.bottom)) + spare))
  return { from: section.from + from, to: section.from + to }
}

/** The section that a line is in, or the next one; lines from 0. */
export const sectionOfLine = (sections: readonly Section[], line: number): number => {
  let [low, high] = [0, sections.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sections[middle]?.to ?? 0) <= line) low = middle + 1
    else high = middle
  }
  return Math.min(low, sections.length - 1)
}

/** How far from the top a line is, where its section is open; where it is not, its section. */
export const yOfLine = ({ placed }: Layout, line: number, { head, line: height }: Heights): number => {
  const at = sectionOfLine(
    placed.map(({ section }) => section),
    line,
  )
  const found = placed[at]
  if (!found) return 0
  return found.top + (found.isOpen ? head + Math.max(0, line - found.section.from) * height : 0)
}
