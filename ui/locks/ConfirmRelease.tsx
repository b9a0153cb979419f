import { type ReactNode, useState } from 'react'
import { releaseLock } from '../api/stacks.ts'
import { announce } from '../live/Announcements.tsx'
import { Confirm } from '../parts/overlay/Confirm.tsx'
import './confirm-release.css'

export type ConfirmReleaseProps = {
  stack: { id: string; key: string }
  /** The run of the holder that the words name: who took the lock meanwhile keeps it. */
  runId: string | undefined
  about?: ReactNode
  /** What it does, to whom, and what it does not, with and without a runner that died. */
  words: (force: boolean) => { happens: string[]; staysAsItIs: string[] }
  /** What to know before one says that a runner died. */
  died?: string
  readAgain: () => void | Promise<void>
  onClose: () => void
  children?: ReactNode
}

/** Releases the lock of a stack, after saying what that does and to whom. */
export const ConfirmRelease = ({ stack, runId, words, died, children, ...dialog }: ConfirmReleaseProps) => {
  const [force, setForce] = useState(false)
  const act = async (reason: string): Promise<string | undefined> => {
    const { released } = await releaseLock(stack.id, {
      reason,
      run_id: runId,
      ...(force ? { force_state: true } : {}),
    })
    if (released.length === 0) return 'Nobody holds the lock any more, so there was nothing to release.'
    announce(`The lock on ${stack.key} is released.`)
    return undefined
  }
  return (
    <Confirm
      {...dialog}
      {...words(force)}
      title={`Release the lock on ${stack.key}`}
      action="Release the lock"
      isDangerous
      reasonLabel="Why"
      act={act}
    >
      <label className="died">
        <input type="checkbox" checked={force} onChange={(event) => setForce(event.target.checked)} />
        <span>
          <strong>A runner died during the apply</strong>
          <span className="small quiet">
            {died ?? 'Then the state may still be locked by the tool, and the comment says so.'}
          </span>
        </span>
      </label>
      {children}
    </Confirm>
  )
}
