import { useQuery } from '@tanstack/react-query'
import { asProblem } from '../../api/errors.ts'
import { readStackLock } from '../../api/stacks.ts'
import { ReleaseHeld } from '../../locks/ReleaseHeld.tsx'
import { Problem } from '../../parts/feedback/Problem.tsx'
import { Dialog } from '../../parts/overlay/Dialog.tsx'
import { Outside } from '../../parts/text/Outside.tsx'
import { useReadAgain, useRow } from '../state/useRun.ts'

type ReleaseProps = { stackKey: string; onClose: () => void }

/** Releases the lock of a stack of the run, whichever run holds it when the dialog is opened. */
export const ReleaseLock = ({ stackKey, onClose }: ReleaseProps) => {
  const row = useRow(stackKey)
  const id = row?.stack_id ?? ''
  const readAgain = useReadAgain()
  // read once, when it is opened: the sentences do not change while they are read
  const lock = useQuery({
    queryKey: ['lock to release', id],
    queryFn: ({ signal }) => readStackLock(id, signal),
    enabled: row !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (lock.error) {
    return (
      <Dialog title={`The lock on ${stackKey}`} onClose={onClose}>
        <Problem problem={asProblem(lock.error)} what="Reading it did not work" tryAgain={() => void lock.refetch()} />
      </Dialog>
    )
  }
  if (!row || lock.data === undefined) return null
  if (lock.data === null) {
    return (
      <Dialog title={`No lock on ${stackKey}`} onClose={onClose}>
        <p>Nobody holds a lock on it now, so there is nothing to release.</p>
      </Dialog>
    )
  }
  return (
    <ReleaseHeld
      lock={lock.data}
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
    </ReleaseHeld>
  )
}
