import { useState } from 'react'
import { serviceNow } from '../../api/clock.ts'
import { releaseLock } from '../../api/stacks.ts'
import { announce } from '../../live/Announcements.tsx'
import { Confirm } from '../../parts/overlay/Confirm.tsx'
import { Dialog } from '../../parts/overlay/Dialog.tsx'
import { Outside } from '../Outside.tsx'
import { useReadAgain } from '../state/useRun.ts'
import { useWholeRow } from '../state/useWholeRow.ts'
import { releaseWords } from './release-words.ts'
import './release-lock.css'

type ReleaseProps = { stackKey: string; onClose: () => void }

/** Releases the lock of a stack, after saying what that does and to whom. */
export const ReleaseLock = ({ stackKey, onClose }: ReleaseProps) => {
  const { row } = useWholeRow(stackKey)
  const readAgain = useReadAgain()
  const [force, setForce] = useState(false)
  // it was opened at this time: the sentences do not change while they are read
  const [now] = useState(serviceNow)
  if (!row?.lock) {
    return (
      <Dialog title={`No lock on ${stackKey}`} onClose={onClose}>
        <p>Nobody holds a lock on it now, so there is nothing to release.</p>
      </Dialog>
    )
  }
  const { happens, staysAsItIs } = releaseWords(row, row.lock, { now, force })
  const act = async (reason: string): Promise<void> => {
    const { released } = await releaseLock(row.stack_id, { reason, ...(force ? { force_state: true } : {}) })
    announce(released.length > 0 ? `The lock on ${stackKey} is released.` : `No lock was held on ${stackKey} any more.`)
    await readAgain()
  }
  return (
    <Confirm
      title={`Release the lock on ${stackKey}`}
      happens={happens}
      staysAsItIs={staysAsItIs}
      action="Release the lock"
      isDangerous
      reasonLabel="Why"
      act={act}
      onClose={onClose}
    >
      <label className="died">
        <input type="checkbox" checked={force} onChange={(event) => setForce(event.target.checked)} />
        <span>
          <strong>A runner died during the apply</strong>
          <span className="small quiet">
            {row.status === 'unknown'
              ? 'Its job ended without a report, so this may be so: see in its log how far it came.'
              : 'Then the state may still be locked by the tool, and the comment says so.'}
          </span>
        </span>
      </label>
      {row.job_url !== undefined && (
        <p>
          <Outside href={row.job_url}>Its job</Outside>
        </p>
      )}
    </Confirm>
  )
}
