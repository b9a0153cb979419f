import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Lock, readStackLock, type StackDetail } from '../api/stacks.ts'
import { useLive } from '../live/useLive.ts'
import { holderDoes, holderOf, lockSentence } from '../locks/lock-words.ts'
import { ReleaseHeld } from '../locks/ReleaseHeld.tsx'
import { Problem } from '../parts/feedback/Problem.tsx'
import { Skeleton } from '../parts/feedback/Skeleton.tsx'
import { PullLink } from '../parts/PullLink.tsx'
import { Copy } from '../parts/text/Copy.tsx'
import { Duration, Time } from '../parts/text/Time.tsx'
import { Status } from '../status/Status.tsx'
import { looks } from '../status/table.ts'
import { useKeptFocus } from '../table/useKeptFocus.ts'

/** Who holds the lock on the stack since when, who waits for it, and the button that releases it. */
export const StackLock = ({ stack: { id, repo, key: stack } }: { stack: StackDetail }) => {
  const [releasing, setReleasing] = useState<Lock>()
  // the button goes with the lock
  const keptFocus = useKeptFocus<HTMLElement>()
  const {
    data: lock,
    problem,
    liveness,
  } = useLive({ key: ['stack lock', id], read: (signal) => readStackLock(id, signal), pace: 'list' })
  return (
    <section className="box" aria-labelledby="stack-lock" {...keptFocus}>
      <div className="box-title">
        <h2 id="stack-lock">Lock</h2>
        {lock && <Status look={looks.lock[lock.state]} />}
      </div>
      {problem && <Problem problem={problem} what="Reading its lock did not work" tryAgain={liveness.tryNow} />}
      {!problem && lock === undefined && <Skeleton />}
      <div className="box-rest stack-lock">
        {lock === null && <p className="quiet">It is free: whoever asks first may apply.</p>}
        {lock && <Held lock={lock} />}
        <p className="stack-buttons">
          {lock && (
            <button type="button" className="button button-small" onClick={() => setReleasing(lock)}>
              Release lock…
            </button>
          )}
          {lock && <Copy text={lockSentence(lock)} what="the lock as a sentence" label="Copy as a sentence" />}
          <Link to="/machines/$kind/$id" params={{ kind: 'lock', id }} className="button button-small">
            Its machine
          </Link>
          <Link to="/audit" search={{ action: 'unlock', target: `${repo}//${stack}` }} className="button button-small">
            Released before
          </Link>
        </p>
      </div>
      {releasing && (
        <ReleaseHeld lock={releasing} readAgain={liveness.tryNow} onClose={() => setReleasing(undefined)} />
      )}
    </section>
  )
}

const Held = ({ lock }: { lock: Lock }) => {
  const { pr_number: pr, run_id: run, taken_at: at, waiting = [], waiting_total: total } = lock
  const does = holderDoes(lock)
  return (
    <>
      <p>
        Held by {pr !== undefined ? <PullLink of={lock.repo} pr={pr} /> : holderOf(lock)}
        {does !== '' && `, which ${does === 'applies' ? does : `is ${does}`},`}
        {at !== undefined && (
          <>
            {' since '}
            <Time at={at} as="moment" />, for <Duration from={at} />
          </>
        )}
        {run !== undefined && (
          <>
            {': '}
            <Link to="/runs/$id" params={{ id: run }} search={{ stack: lock.stack_key }}>
              its run
            </Link>
          </>
        )}
      </p>
      <p className={total === 0 ? 'quiet' : ''}>
        {total === 0 ? 'Nobody waits for it.' : `${total} ${total === 1 ? 'waits' : 'wait'}: `}
        {waiting.map(({ pr_number: one }, place) => (
          <span key={one}>
            {place > 0 && ', '}
            <PullLink of={lock.repo} pr={one} />
          </span>
        ))}
        {total > waiting.length && ` and ${total - waiting.length} more`}
      </p>
    </>
  )
}
