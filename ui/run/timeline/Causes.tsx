import { useMemo } from 'react'
import type { TimelineEntry } from '../../api/timeline.ts'
import { Icon } from '../../parts/Icon.tsx'
import { Time } from '../../parts/text/Time.tsx'
import { listed, many } from '../../parts/words.ts'
import { StatusIconOf } from '../../status/Status.tsx'
import { alikeOf, type Cause, causesOf } from './causes.ts'
import { consequencesOf } from './consequences.ts'
import { type Names, namesOf, whoWords } from './entry-facts.ts'
import { headlineOf, lookOf } from './headline.ts'

type CausesProps = {
  entries: readonly TimelineEntry[]
  isNewestFirst: boolean
  /** The cause that is open, by its id. */
  open: string | undefined
  turn: (id: string | undefined) => void
  turnOrder: () => void
}

/** Up to so many lines are drawn whether they are in view or not. */
const few = 100

/** What happened, a line a cause, which opens to its entries. */
export const Causes = ({ entries, isNewestFirst, open, turn, turnOrder }: CausesProps) => {
  const causes = useMemo(() => causesOf(entries), [entries])
  const names = useMemo(() => namesOf(entries), [entries])
  const shown = isNewestFirst ? causes.toReversed() : causes
  return (
    <section className="box causes" aria-label="What happened, by cause">
      <header className="causes-head">
        <h2>What happened, by cause</h2>
        <p className="quiet">
          {many(entries.length, 'journal entry', 'journal entries')}, {isNewestFirst ? 'newest' : 'oldest'} first
        </p>
        <button type="button" className="button button-small" onClick={turnOrder}>
          {isNewestFirst ? 'Oldest first' : 'Newest first'}
        </button>
      </header>
      <ol data-many={causes.length > few || undefined}>
        {shown.map((cause) => (
          <CauseLine key={cause.id} cause={cause} names={names} isOpen={cause.id === open} turn={turn} />
        ))}
      </ol>
    </section>
  )
}

type CauseLineProps = { cause: Cause; names: Names; isOpen: boolean; turn: CausesProps['turn'] }

const CauseLine = ({ cause, names, isOpen, turn }: CauseLineProps) => {
  const { id, entries } = cause
  const headline = headlineOf(entries, names)
  if (!headline) return null
  const { entry, subject, verb, look } = headline
  const more = consequencesOf(entries, entry, names)
  return (
    <li className="cause">
      <div className="cause-line">
        <span className="cause-time mono">
          <Time at={entry.at} as="moment" focusable={false} />
        </span>
        <StatusIconOf look={look} />
        <p className="cause-words">
          <b>{subject}</b> {verb}
          {more.length > 0 && `: ${more.join(', ')}`}
        </p>
        <p className="cause-who quiet">{whoWords(entry.actor)}</p>
        <button
          type="button"
          className="cause-turn"
          aria-expanded={isOpen}
          onClick={() => turn(isOpen ? undefined : id)}
        >
          {many(entries.length, 'entry', 'entries')} <Icon name="down" />
        </button>
      </div>
      {isOpen && <Entries cause={cause} names={names} />}
    </li>
  )
}

const Entries = ({ cause, names }: { cause: Cause; names: Names }) => (
  <ul className="cause-entries">
    {alikeOf(cause.entries).map(({ first, entries }) => (
      <li key={`${first.kind} ${first.id} ${first.seq}`}>
        <StatusIconOf look={lookOf(first)} />
        <p>
          <code>{first.event.type}</code> {first.kind === 'lock' && 'lock of '}
          {listed(entries.map(names.nameOf))}{' '}
          <span className="quiet">
            {first.from === undefined
              ? first.to
              : first.from === first.to
                ? `stays ${first.to}`
                : `${first.from} → ${first.to}`}
          </span>
        </p>
        <p className="quiet">
          {entries.length > 1 ? many(entries.length, 'entry', 'entries') : `entry ${first.seq}`},{' '}
          {whoWords(first.actor)}
        </p>
      </li>
    ))}
  </ul>
)
