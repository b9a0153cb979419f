import type { RunRow } from '../../api/run-types.ts'
import { isBroken, isOpen } from '../../status/phases.ts'

/** A wave of more stacks than this shows those that are settled as a strip of small cells. */
const cardsUpTo = 60

/** Which stacks of a wave are cards, and which are cells of the strip below them; both in their order. */
export type SplitWave = { wave: number; cards: string[]; cells: string[] }

/** `isFiltered`: these are the ones that somebody asked for, so all of them are cards. */
export const splitWave = (wave: number, rows: readonly RunRow[], isFiltered: boolean): SplitWave => {
  if (isFiltered || rows.length <= cardsUpTo) return { wave, cards: rows.map(({ key }) => key), cells: [] }
  const isCard = ({ status }: RunRow): boolean => isOpen(status) || isBroken(status)
  return {
    wave,
    cards: rows.filter(isCard).map(({ key }) => key),
    cells: rows.filter((row) => !isCard(row)).map(({ key }) => key),
  }
}
