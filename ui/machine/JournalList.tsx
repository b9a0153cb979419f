import type { JournalEntry } from '../api/machines.ts'
import { Time } from '../parts/text/Time.tsx'
import { shortName } from './chart/chart.ts'

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
            <span className="journal-at mono quiet">
              <Time at={entry.at} as="moment" focusable={false} />
            </span>
            <span className="journal-what">
              <code>{entry.event.type}</code>{' '}
              <span className={entry.from === entry.to ? 'quiet' : undefined}>{movement(entry)}</span>
              <span className="journal-who quiet small">
                entry {entry.seq}, by {entry.actor}
              </span>
            </span>
          </button>
        </li>
      ))}
    </ol>
    {more && <p className="box-rest quiet">These are the newest {entries.length}.</p>}
  </>
)

const movement = ({ from, to }: JournalEntry): string => {
  if (from === undefined) return `begins ${shortName(to)}`
  return from === to ? `stays ${shortName(to)}` : `${shortName(from)} → ${shortName(to)}`
}
