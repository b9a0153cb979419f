import { useState } from 'react'
import { serviceNow } from '../../api/clock.ts'
import { ConfirmRelease } from '../../locks/ConfirmRelease.tsx'
import { Dialog } from '../../parts/overlay/Dialog.tsx'
import { Outside } from '../../parts/text/Outside.tsx'
import { useReadAgain } from '../state/useRun.ts'
import { useWholeRow } from '../state/useWholeRow.ts'
import { releaseWords } from './release-words.ts'

type ReleaseProps = { stackKey: string; onClose: () => void }

/** Releases the lock of a stack of the run. */
export const ReleaseLock = ({ stackKey, onClose }: ReleaseProps) => {
  const { row } = useWholeRow(stackKey)
  const readAgain = useReadAgain()
  // it was opened at this time: the sentences do not change while they are read
  const [now] = useState(serviceNow)
  const lock = row?.lock
  if (!lock) {
    return (
      <Dialog title={`No lock on ${stackKey}`} onClose={onClose}>
        <p>Nobody holds a lock on it now, so there is nothing to release.</p>
      </Dialog>
    )
  }
  return (
    <ConfirmRelease
      stack={{ id: row.stack_id, key: stackKey }}
      words={(force) => releaseWords(row, lock, { now, force })}
      {...(row.status === 'unknown' && {
        died: 'Its job ended without a report, so this may be so: see in its log how far it came.',
      })}
      readAgain={readAgain}
      onClose={onClose}
    >
      {row.job_url !== undefined && (
        <p>
          <Outside href={row.job_url}>Its job</Outside>
        </p>
      )}
    </ConfirmRelease>
  )
}
