import { memo } from 'react'
import type { RunHead } from '../../live/run-store.ts'
import { stackLook } from '../../status/table.ts'
import { useRow } from '../state/useRun.ts'
import type { Place } from './layout.ts'
import './cell.css'

type CellProps = { place: Place; mode: RunHead['mode']; isSelected: boolean; isCurrent: boolean }

/** A stack of a strip: a colour, and its words once the pointer or the focus is on it (CellNote.tsx). */
export const Cell = memo(({ place, mode, isSelected, isCurrent }: CellProps) => {
  const row = useRow(place.key)
  if (!row) return null
  const look = stackLook(row.status, mode)
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the board
    <div
      role="gridcell"
      className="cell"
      data-stack={row.key}
      data-tone={look.tone}
      data-pattern={look.pattern}
      tabIndex={isCurrent ? 0 : -1}
      aria-selected={isSelected}
      aria-colindex={place.at + 2}
      aria-label={`${row.key}, ${look.word}`}
      style={{ left: place.x, top: place.y }}
    />
  )
})
