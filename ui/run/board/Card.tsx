import { memo } from 'react'
import type { RunRow } from '../../api/run-types.ts'
import { holderOf } from '../../locks/lock-words.ts'
import { Counts } from '../../parts/Counts.tsx'
import { Duration } from '../../parts/text/Time.tsx'
import { isBroken } from '../../status/phases.ts'
import { Status, StatusIconOf } from '../../status/Status.tsx'
import { looks, stackLook } from '../../status/table.ts'
import { countsOfSummary } from '../counts-of-summary.ts'
import type { Phase } from '../state/phase.ts'
import { summaryOf } from '../state/usePlanned.ts'
import { useRow } from '../state/useRun.ts'
import { type CardNote, cardNote, firstReason } from './card-words.ts'
import type { Place } from './layout.ts'
import './card.css'

type CardProps = {
  place: Place
  width: number
  phase: Phase
  isSelected: boolean
  isCurrent: boolean
  /** What its plan does, where the run is an apply. */
  planned: RunRow['summary']
  planRunId: string | undefined
}

/** A stack: its status, what it waits for or how long it took, what its plan does, and why it is in the run. */
export const Card = memo(({ place, width, phase, isSelected, isCurrent, planned, planRunId }: CardProps) => {
  const row = useRow(place.key)
  if (!row) return null
  const summary = summaryOf(row, planned, planRunId)
  const look = stackLook(row.status, phase.mode)
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the board
    <div
      role="gridcell"
      className="card"
      data-stack={row.key}
      data-tone={look.tone}
      data-pattern={look.pattern}
      data-broken={isBroken(row.status) || undefined}
      tabIndex={isCurrent ? 0 : -1}
      aria-selected={isSelected}
      aria-colindex={place.at + 2}
      style={{ left: place.x, top: place.y, width }}
    >
      <span className="card-key" title={row.key}>
        <bdi>{row.key}</bdi>
      </span>
      <span className="card-line">
        <Status look={look} />
        <Note of={cardNote(row, phase)} />
      </span>
      <span className="card-line">
        {summary && <Counts of={countsOfSummary(summary)} />}
        {row.lock && <LockSign lock={row.lock} />}
        <span className="card-note">{firstReason(row)}</span>
      </span>
    </div>
  )
})

const Note = ({ of }: { of: CardNote }) => {
  if (of === undefined) return null
  return <span className="card-note">{'words' in of ? of.words : <Duration from={of.from} to={of.to} />}</span>
}

const LockSign = ({ lock }: { lock: NonNullable<RunRow['lock']> }) => (
  <StatusIconOf look={looks.lock[lock.state ?? 'held.claimed']} title={`locked by ${holderOf(lock)}`} />
)
