import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import type { Lock } from '../api/locks.ts'
import { useKeys } from '../keys/registry.ts'
import { Table } from '../table/Table.tsx'
import { useKeptFocus } from '../table/useKeptFocus.ts'
import { groupsOf } from './board.ts'
import { columnsOf } from './columns.tsx'
import { ReleaseHeld } from './ReleaseHeld.tsx'
import '../parts/box.css'
import './locks.css'

type LockBoardProps = {
  locks: readonly Lock[]
  /** They are all of one repository, which the page names. */
  ofOne?: boolean
  readAgain: () => void
  /** Said where there are none. A dialog about the last one stays until it is read. */
  empty: ReactNode
}

/** Held locks: those that need somebody first. Each can be released. */
export const LockBoard = ({ locks, ofOne = false, readAgain, empty }: LockBoardProps) => {
  const [releasing, setReleasing] = useState<Lock>()
  const navigate = useNavigate()
  const keptFocus = useKeptFocus<HTMLElement>()
  const columns = useMemo(() => columnsOf({ ofOne, release: setReleasing }), [ofOne])
  const groups = useMemo(() => groupsOf(locks), [locks])
  useKeys([
    {
      keys: 'u',
      does: 'Release the lock of the row…',
      act: () =>
        document.activeElement?.closest('[data-row]')?.querySelector<HTMLElement>('.locks-release button')?.click(),
    },
  ])
  const open = ({ run_id: id, stack_key: stack }: Lock): void => {
    if (id !== undefined) void navigate({ to: '/runs/$id', params: { id }, search: { stack } })
  }
  return (
    <section className={locks.length > 0 ? 'box list locks' : 'list'} aria-label="List of the locks" {...keptFocus}>
      {locks.length === 0 && empty}
      {groups.map(({ name, heading, says, locks }) => (
        <section key={name} aria-label={heading}>
          <p className="locks-group small">
            <strong>{heading}</strong> <span className="quiet">{says}</span>
          </p>
          <Table label={`Locks, ${name}`} columns={columns} rows={locks} keyOf={({ stack_id: id }) => id} open={open} />
        </section>
      ))}
      {releasing && <ReleaseHeld lock={releasing} readAgain={readAgain} onClose={() => setReleasing(undefined)} />}
    </section>
  )
}
