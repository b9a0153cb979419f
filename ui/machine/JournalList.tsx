import type { JournalEntry } from '../api/machines.ts'
import { Time } from '../parts/Time.tsx'

type JournalListProps = {
  /** Newest first. */
  entries: readonly JournalEntry[]
  /** Whether there are older ones. */
  more: boolean
  chosen: number | undefined
  choose(seq: number): void
}

/** The journal of a machine: each entry is a button that shows the machine as it was after it. */
export const JournalList = ({ entries, more, chosen, choose }: JournalListProps) => (
  <>
    <ol className="journal">
      {entries.map((entry) => (
        <li key={entry.seq}>
          <button type="button" aria-pressed={entry.seq === chosen} onClick={() => choose(entry.seq)}>
            <span className="quiet small">{entry.seq}</span>
            <span className="journal-what">
              <code>{entry.event.type}</code>{' '}
              <span className="quiet">{entry.from === entry.to ? `stays ${entry.to}` : movement(entry)}</span>
            </span>
            <span className="quiet small">
              {entry.actor}, <Time at={entry.at} as="moment" focusable={false} />
            </span>
          </button>
        </li>
      ))}
    </ol>
    {more && <p className="box-rest quiet">These are the newest {entries.length}.</p>}
  </>
)

const movement = ({ from, to }: JournalEntry): string => (from === undefined ? `begins ${to}` : `${from} → ${to}`)
