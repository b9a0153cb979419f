import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import type { Lock } from '../api/locks.ts'
import { PullLink } from '../parts/PullLink.tsx'
import { Key } from '../parts/text/Key.tsx'
import { Duration } from '../parts/text/Time.tsx'
import { Status } from '../status/Status.tsx'
import { looks } from '../status/table.ts'
import type { Column } from '../table/column.ts'
import { holderDoes, holderOf, waitersOf } from './lock-words.ts'

const Holder = ({ lock }: { lock: Lock }) => {
  const { pr_number: pr, run_id: id, stack_key: stack } = lock
  if (pr !== undefined) return <PullLink of={lock.repo} pr={pr} tabIndex={-1} />
  if (id === undefined) return holderOf(lock)
  return (
    <Link to="/runs/$id" params={{ id }} search={{ stack }} tabIndex={-1}>
      {holderOf(lock)}
    </Link>
  )
}

const Waiting = ({ lock }: { lock: Lock }): ReactNode => {
  const { waiting = [], waiting_total: total } = lock
  if (total === 0) return <span className="quiet">nobody</span>
  const named = waiting.slice(0, 3)
  return (
    <>
      {named.map(({ pr_number: pr }, at) => (
        <Fragment key={pr}>
          {at > 0 && ', '}
          <PullLink of={lock.repo} pr={pr} tabIndex={-1} />
        </Fragment>
      ))}
      {total > named.length && <span className="quiet"> and {total - named.length} more</span>}
    </>
  )
}

const Age = ({ lock: { taken_at: at } }: { lock: Lock }) => at !== undefined && <Duration from={at} />

const Stack = ({ lock, ofOne }: { lock: Lock; ofOne: boolean }) => {
  const waiters = waitersOf(lock)
  return (
    <>
      <Link to="/stacks/$id" params={{ id: lock.stack_id }} tabIndex={-1} className="row-name">
        <Key of={lock.stack_key} />
      </Link>{' '}
      {!ofOne && <span className="quiet no-phone">{lock.repo}</span>}
      <span className="second">
        <Status look={looks.lock[lock.state]} /> by {holderOf(lock)}
        {', '}
        <Age lock={lock} />
        {waiters !== '' && `, ${waiters} ${lock.waiting_total === 1 ? 'waits' : 'wait'}`}
        {!ofOne && `, ${lock.repo}`}
      </span>
    </>
  )
}

type Options = { ofOne: boolean; release: (lock: Lock) => void }

/** What the board says of each lock. The button is quiet where nobody is kept waiting. */
export const columnsOf = ({ ofOne, release }: Options): Column<Lock>[] => [
  { id: 'stack', head: 'Stack', className: 'locks-stack', cell: (lock) => <Stack lock={lock} ofOne={ofOne} /> },
  {
    id: 'state',
    head: 'State',
    className: 'locks-state no-phone',
    cell: ({ state }) => <Status look={looks.lock[state]} />,
  },
  {
    id: 'holder',
    head: 'Held by',
    className: 'locks-holder no-phone',
    cell: (lock) => (
      <>
        <Holder lock={lock} />{' '}
        <span className="quiet">{[holderDoes(lock), lock.pr_title].filter(Boolean).join(', ')}</span>
      </>
    ),
  },
  { id: 'for', head: 'For', className: 'locks-for number no-phone', cell: (lock) => <Age lock={lock} /> },
  { id: 'waiting', head: 'Waiting', className: 'locks-waiting no-phone', cell: (lock) => <Waiting lock={lock} /> },
  {
    id: 'release',
    head: 'Release',
    className: 'locks-release number',
    cell: (lock) => (
      <button
        type="button"
        tabIndex={-1}
        className={
          lock.state === 'held.orphaned' || lock.waiting_total > 0
            ? 'button button-small'
            : 'button button-small locks-quiet'
        }
        onClick={() => release(lock)}
      >
        Release…<span className="unseen"> the lock on {lock.stack_key}</span>
      </button>
    ),
  },
]
