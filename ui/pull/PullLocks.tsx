import { Link } from '@tanstack/react-router'
import { type Lock, readPullLocks } from '../api/locks.ts'
import { useLive } from '../live/useLive.ts'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { Key } from '../parts/text/Key.tsx'
import { Time } from '../parts/text/Time.tsx'
import { StatusIconOf } from '../status/Status.tsx'
import { looks } from '../status/table.ts'

/** The locks of one pull request: those that it holds, and those that another holds and it waits for. */
export const PullLocks = ({ repo, pr }: { repo: string; pr: number }) => {
  const { data, problem, liveness } = useLive({
    key: ['pull locks', repo, pr],
    read: (signal) => readPullLocks(repo, pr, signal),
    pace: 'list',
  })
  return (
    <section className="box">
      <h2>Locks</h2>
      {problem && <Problem problem={problem} what="The locks could not be read" tryAgain={liveness.tryNow} />}
      {!problem && data === undefined && <Skeleton />}
      {data?.items.length === 0 && <p className="box-rest quiet">It holds no lock, and waits for none.</p>}
      <ul className="pull-list">
        {data?.items.toSorted(waitedForFirst).map((lock) => (
          <LockItem key={lock.stack_id} lock={lock} pr={pr} />
        ))}
      </ul>
    </section>
  )
}

/** What keeps others from their work comes first. */
const waitedForFirst = (a: Lock, b: Lock): number =>
  b.waiting_total - a.waiting_total || (a.stack_key < b.stack_key ? -1 : 1)

const LockItem = ({ lock, pr }: { lock: Lock; pr: number }) => (
  <li>
    <StatusIconOf look={looks.lock[lock.state]} title={looks.lock[lock.state].word} />
    <span className="pull-name">
      {lock.run_id === undefined ? (
        <Key of={lock.stack_key} />
      ) : (
        <Link to="/runs/$id" params={{ id: lock.run_id }} search={{ stack: lock.stack_key }}>
          <Key of={lock.stack_key} />
        </Link>
      )}
    </span>
    <span className="quiet small">
      {lock.pr_number === pr
        ? 'held'
        : `waits for ${lock.pr_number === undefined ? 'a manual run' : `#${lock.pr_number}`}, which has held it`}
      {lock.taken_at !== undefined && (
        <>
          {' since '}
          <Time at={lock.taken_at} as="moment" />
        </>
      )}
      {lock.pr_number === pr && lock.waiting_total > 0 && `, ${lock.waiting_total} waiting`}
    </span>
  </li>
)
