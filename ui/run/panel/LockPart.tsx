import { Link } from '@tanstack/react-router'
import type { RunRow } from '../../api/run-types.ts'
import type { RunHead } from '../../live/run-store.ts'
import { holderOf, waitersOf } from '../../locks/lock-words.ts'
import { PanelPart } from '../../parts/overlay/Panel.tsx'
import { Time } from '../../parts/text/Time.tsx'
import { Status } from '../../status/Status.tsx'
import { looks } from '../../status/table.ts'
import { lockStateWords } from './panel-words.ts'

/** Who holds the stack's lock, since when, why, and who waits for it. */
export const LockPart = ({ row, run, isWhole }: { row: RunRow; run: RunHead; isWhole: boolean }) => {
  const { lock } = row
  if (!lock) {
    return (
      <PanelPart heading="Lock">
        <p className="quiet">Nobody holds a lock on it.</p>
      </PanelPart>
    )
  }
  const { waiting = [] } = lock
  const waiters = waitersOf({ waiting, waiting_total: waiting.length })
  const isOwn = lock.pr_number !== undefined && lock.pr_number === run.pr_number
  return (
    <PanelPart heading="Lock">
      <p>
        Held by {isOwn ? 'this pull request' : <Holder lock={lock} />}
        {lock.taken_at !== undefined && (
          <>
            {' '}
            since <Time at={lock.taken_at} as="moment" />, <Time at={lock.taken_at} focusable={false} />
          </>
        )}
      </p>
      {lock.state !== undefined && (
        <p className="small">
          <Status look={looks.lock[lock.state]} /> <span className="quiet">{lockStateWords[lock.state]}</span>
        </p>
      )}
      {isWhole && (
        <p className="quiet">
          {waiters === '' ? 'Nobody waits for it.' : `${waiters} ${waiting.length === 1 ? 'waits' : 'wait'} for it.`}
        </p>
      )}
    </PanelPart>
  )
}

const Holder = ({ lock }: { lock: NonNullable<RunRow['lock']> }) => {
  const name = holderOf(lock)
  if (lock.run_id === undefined) return name
  return (
    <Link to="/runs/$id" params={{ id: lock.run_id }} search={{ stack: lock.stack_key }}>
      {name}
    </Link>
  )
}
