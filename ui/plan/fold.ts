import type { LineRange } from './line-range.ts'
import type { Section } from './outline.ts'

/**
 * Which parts are open: those that destroy or replace, all, or none; and those that somebody opened or folded, by the number of
 * their first line, from 1.
 */
export type Fold = { base: 'grave' | 'all' | 'none'; open: ReadonlySet<number>; folded: ReadonlySet<number> }

/** As the address has it: `all,-12`, `48`, `none`. What it does not know is as if it were not there. */
export const readFold = (text: string | undefined): Fold => {
  const parts = (text ?? '').split(',')
  const [first] = parts
  const numbers = parts.flatMap((part) => (/^-?[1-9]\d{0,8}$/.test(part) ? [Number(part)] : []))
  return {
    base: first === 'all' || first === 'none' ? first : 'grave',
    open: new Set(numbers.filter((number) => number > 0)),
    folded: new Set(numbers.filter((number) => number < 0).map((number) => -number)),
  }
}

/** What `readFold` reads; undefined for what a plan looks like without. */
export const writeFold = ({ base, open, folded }: Fold): string | undefined => {
  const numbers = [...open, ...[...folded].map((number) => -number)].toSorted((a, b) => Math.abs(a) - Math.abs(b))
  const parts = [...(base === 'grave' ? [] : [base]), ...numbers]
  return parts.length === 0 ? undefined : parts.join(',')
}

/** Open without anybody's doing: what destroys, and a text that has no resources at all. */
const isOpenByBase = (section: Section, base: Fold['base'], sections: number): boolean => {
  if (base !== 'grave' || sections === 1) return base !== 'none'
  return section.kind === 'resource' && (section.does === 'destroy' || section.does === 'replace')
}

const has = (section: Section, range: LineRange | undefined): boolean =>
  range !== undefined && range.first <= section.to && range.last > section.from

/** Whether a section is open; one that the address names a line of is, unless somebody folded it. */
export const isOpen = (section: Section, fold: Fold, range: LineRange | undefined, sections: number): boolean => {
  const line = section.from + 1
  if (fold.open.has(line)) return true
  return !fold.folded.has(line) && (has(section, range) || isOpenByBase(section, fold.base, sections))
}

/** The fold after a section was opened or folded. */
export const turned = (fold: Fold, section: Section, open: boolean, sections: number): Fold => {
  const line = section.from + 1
  const [opened, folded] = [new Set(fold.open), new Set(fold.folded)]
  opened.delete(line)
  folded.delete(line)
  if (open !== isOpenByBase(section, fold.base, sections)) (open ? opened : folded).add(line)
  // it stays as it is where the line that opened it is left for another
  if (!open) folded.add(line)
  return { base: fold.base, open: opened, folded }
}

/** The fold with which a section stays open once its line is no longer named by the address. */
export const kept = (fold: Fold, sections: readonly Section[], range: LineRange | undefined): Fold =>
  sections
    .filter((section) => has(section, range) && !fold.folded.has(section.from + 1))
    .reduce((all, section) => turned(all, section, true, sections.length), fold)
