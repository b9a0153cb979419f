import { useDeferredValue, useMemo } from 'react'
import { findIn, type Match } from './find.ts'
import { type Fold, kept, readFold, turned, writeFold } from './fold.ts'
import { choose, type LineRange, readRange, writeRange } from './line-range.ts'
import { type Outline, outlineOf, type Section } from './outline.ts'

/** What of a text is shown, as the address has it. */
export type PlanAddress = { fold?: string | undefined; find?: string | undefined; hash: string }

/** What a step of the reader's changes in the address; the rest stays. */
export type PlanStep = { fold?: string | undefined; find?: string | undefined; hash?: string }

export type Plan = {
  outline: Outline
  fold: Fold
  range: LineRange | undefined
  matches: readonly Match[]
  query: string
  turn(section: Section, open: boolean): void
  turnAll(base: Fold['base']): void
  choose(line: number, isExtended: boolean): void
  /** Opens a section, whoever folded it. */
  open(section: Section): void
  /** The same, and names its first line in the address. */
  show(section: Section): void
  find(query: string | undefined): void
}

/** A text and how it is looked at: everything about it that is not markup. */
export const usePlan = (
  text: string,
  { fold: folded, find, hash }: PlanAddress,
  go: (step: PlanStep) => void,
): Plan => {
  const outline = useMemo(() => outlineOf(text), [text])
  const fold = useMemo(() => readFold(folded), [folded])
  const range = useMemo(() => readRange(hash), [hash])
  const query = find ?? ''
  // typing stays ahead of looking through 2 MB
  const wanted = useDeferredValue(query)
  const matches = useMemo(() => findIn(outline.lines, wanted), [outline, wanted])
  const { sections } = outline
  const turn = (section: Section, open: boolean): void =>
    go({ fold: writeFold(turned(fold, section, open, sections.length)) })
  return {
    outline,
    fold,
    range,
    matches,
    query,
    turn,
    turnAll: (base) => go({ fold: writeFold({ base, open: new Set(), folded: new Set() }) }),
    choose: (line, isExtended) => {
      const hash = writeRange(choose(line, range, isExtended))
      go({ fold: writeFold(kept(fold, sections, range)), hash })
    },
    open: (section) => turn(section, true),
    show: (section) => {
      const shown = turned(kept(fold, sections, range), section, true, sections.length)
      go({ fold: writeFold(shown), hash: writeRange({ first: section.from + 1, last: section.from + 1 }) })
    },
    find: (find) => go({ find }),
  }
}
