import { useState } from 'react'
import { serviceNow } from '../api/clock.ts'
import type { Lock } from '../api/locks.ts'
import { Time } from '../parts/text/Time.tsx'
import { durationWords } from '../parts/time-words.ts'
import { Status } from '../status/Status.tsx'
import { looks } from '../status/table.ts'
import { ConfirmRelease, type ConfirmReleaseProps } from './ConfirmRelease.tsx'
import { holderOf, releaseWords } from './lock-words.ts'

type ReleaseHeldProps = Pick<ConfirmReleaseProps, 'died' | 'readAgain' | 'onClose' | 'children'> & { lock: Lock }

/** Releases a lock that is held. */
export const ReleaseHeld = ({ lock, ...dialog }: ReleaseHeldProps) => {
  // it was opened at this time: the sentences do not change while they are read
  const [now] = useState(serviceNow)
  const { stack_id: id, stack_key: key, taken_at: at, repo, state } = lock
  const age = at === undefined ? undefined : durationWords(now - Date.parse(at))
  return (
    <ConfirmRelease
      stack={{ id, key }}
      runId={lock.run_id}
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
      words={(force) => releaseWords(lock, { age, force })}
      {...dialog}
    />
  )
}
