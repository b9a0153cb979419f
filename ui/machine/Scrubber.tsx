import type { JournalEntry } from '../api/machines.ts'
import { Time } from '../parts/text/Time.tsx'
import './scrubber.css'

type ScrubberProps = {
  /** Oldest first. */
  entries: readonly JournalEntry[]
  at: number
  isPast: boolean
  choose(seq: number | undefined): void
}

/** Goes through the journal of a machine entry by entry: what is beside it shows that moment. */
export const Scrubber = ({ entries, at, isPast, choose }: ScrubberProps) => {
  const last = entries.length - 1
  const index = entries.findIndex(({ seq }) => seq === at)
  // an entry older than those that are listed has no place on the bar
  const entry = entries[index]
  if (last < 1) return null
  return (
    <div className="scrubber">
      <div className="scrubber-bar">
        {entry && <Bar entries={entries} index={index} entry={entry} choose={choose} />}
        <button type="button" className="button button-small" disabled={!isPast} onClick={() => choose(undefined)}>
          Now
        </button>
      </div>
      <p className="quiet small">
        {entry && (
          <>
            <Time at={entry.at} as="moment" /> ·{' '}
          </>
        )}
        entry {at} of {entries[last]?.seq}
        {isPast && ' · everything here shows that moment'}
      </p>
    </div>
  )
}

type BarProps = Pick<ScrubberProps, 'entries' | 'choose'> & { index: number; entry: JournalEntry }

const Bar = ({ entries, index, entry, choose }: BarProps) => {
  const last = entries.length - 1
  const go = (to: number): void => choose(to >= last ? undefined : entries[Math.max(0, to)]?.seq)
  return (
    <>
      <Step label="Entry before" sign="‹" isOff={index === 0} act={() => go(index - 1)} />
      <div className="scrubber-track">
        {entries.map(({ seq, from, to }, place) =>
          from === to ? null : (
            <span key={seq} className="scrubber-tick" style={{ left: `calc(8px + (100% - 16px) * ${place / last})` }} />
          ),
        )}
        <input
          type="range"
          min={0}
          max={last}
          value={index}
          aria-label="Entry of the journal"
          aria-valuetext={`entry ${entry.seq}, ${entry.event.type}: ${entry.to}`}
          onChange={(event) => go(Number(event.target.value))}
        />
      </div>
      <Step label="Entry after" sign="›" isOff={index === last} act={() => go(index + 1)} />
    </>
  )
}

const Step = ({ label, sign, isOff, act }: { label: string; sign: string; isOff: boolean; act: () => void }) => (
  <button type="button" className="button button-small" aria-label={label} disabled={isOff} onClick={act}>
    {sign}
  </button>
)
