import { Link } from '@tanstack/react-router'
import { readOldestLocks } from '../api/locks.ts'
import { useLive } from '../live/useLive.ts'
import { holderDoes, holderOf } from '../locks/lock-words.ts'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Duration } from '../parts/text/Time.tsx'
import { Status } from '../status/Status.tsx'
import { looks } from '../status/table.ts'
import './oldest-locks.css'

/** The locks that are held longest: it fails and is refreshed by itself. */
export const OldestLocks = ({ held }: { held: number }) => {
  const { data, problem, liveness } = useLive({ key: ['locks', 'oldest'], read: readOldestLocks, pace: 'list' })
  if (held === 0) return null
  return (
    <section className="box">
      <div className="box-title">
        <h2>
          Oldest locks <span className="quiet">of {held}</span>
        </h2>
        <Link to="/locks">All locks</Link>
      </div>
      {problem && <Problem problem={problem} what="Reading the locks did not work" tryAgain={liveness.tryNow} />}
      <ul className="oldest-locks">
        {data?.items.map((lock) => (
          <li key={lock.stack_id}>
            <Link to="/stacks/$id" params={{ id: lock.stack_id }}>
              <strong>{lock.stack_key}</strong>
            </Link>
            <Status look={looks.lock[lock.state]} />
            <span className="quiet small">
              {[lock.repo, [holderOf(lock), holderDoes(lock)].filter(Boolean).join(', ')].join(' · ')}
            </span>
            <span className="quiet small">{lock.taken_at !== undefined && <Duration from={lock.taken_at} />}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
