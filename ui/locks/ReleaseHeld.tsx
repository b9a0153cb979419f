import { useState } from 'react'
import { serviceNow } from '../api/clock.ts'
import type { Lock } from '../api/locks.ts'
import { releaseLock } from '../api/stacks.ts'
import { announce } from '../live/Announcements.tsx'
import { Confirm } from '../parts/overlay/Confirm.tsx'
import { Time } from '../parts/text/Time.tsx'
import { durationWords } from '../parts/time-words.ts'
import { Status } from '../status/Status.tsx'
import { looks } from '../status/table.ts'
import { holderOf, releaseWords } from './lock-words.ts'
import '../run/acts/release-lock.css'

type ReleaseHeldProps = { lock: Lock; readAgain: () => void; onClose: () => void }

/** Releases a lock of the board, after saying what that does and to whom. */
export const ReleaseHeld = ({ lock, readAgain, onClose }: ReleaseHeldProps) => {
  const [force, setForce] = useState(false)
  // it was opened at this time: the sentences do not change while they are read
  const [now] = useState(serviceNow)
  const { stack_id: id, stack_key: key, taken_at: at, repo, state } = lock
  const age = at === undefined ? undefined : durationWords(now - Date.parse(at))
  const { happens, staysAsItIs } = releaseWords(lock, { age, force })
  const act = async (reason: string): Promise<void> => {
    const { released } = await releaseLock(id, { reason, ...(force ? { force_state: true } : {}) })
    announce(released.length > 0 ? `The lock on ${key} is released.` : `No lock was held on ${key} any more.`)
    readAgain()
  }
  return (
    <Confirm
      title={`Release the lock on ${key}`}
      about={
        <p className="quiet">
          {repo}, <Status look={looks.lock[state]} />, held by {holderOf(lock)}
          {at !== undefined && (
            <>
              {' since '}
              <Time at={at} as="moment" />
            </>
          )}
        </p>
      }
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
          <span className="small quiet">Then the state may still be locked by the tool, and the comment says so.</span>
        </span>
      </label>
    </Confirm>
  )
}
