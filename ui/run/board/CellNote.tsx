import type { RunHead } from '../../live/run-store.ts'
import { Status } from '../../status/Status.tsx'
import { stackLook } from '../../status/table.ts'
import { useRow } from '../state/useRun.ts'
import { type Place, sizes } from './layout.ts'
import './cell.css'

type CellNoteProps = { place: Place; mode: RunHead['mode']; width: number }

/** What a cell of a strip stands for, below it. The cell itself says the same to who cannot see it. */
export const CellNote = ({ place, mode, width }: CellNoteProps) => {
  const row = useRow(place.key)
  if (!row) return null
  // from its own edge to the right, or from the board's to the left
  const side = place.x > width / 2 ? { right: width - place.x - sizes.cell } : { left: place.x }
  return (
    <div className="cell-note" aria-hidden="true" style={{ top: place.y + sizes.cell + 4, ...side }}>
      <Status look={stackLook(row.status, mode)} /> {row.key}
    </div>
  )
}
