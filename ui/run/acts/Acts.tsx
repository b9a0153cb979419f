import { type ReactNode, useMemo, useState } from 'react'
import { PlanAgain } from './PlanAgain.tsx'
import { ReleaseLock } from './ReleaseLock.tsx'
import { ActsContext, type Acts as ActsOf } from './useActs.ts'

/** The dialogs of the run page, and what opens them. */
export const Acts = ({ children }: { children: ReactNode }) => {
  const [open, setOpen] = useState<{ release: string } | 'plan again'>()
  const acts = useMemo<ActsOf>(
    () => ({ release: (key) => setOpen({ release: key }), planAgain: () => setOpen('plan again') }),
    [],
  )
  const close = (): void => setOpen(undefined)
  return (
    <ActsContext value={acts}>
      {children}
      {open === 'plan again' && <PlanAgain onClose={close} />}
      {typeof open === 'object' && <ReleaseLock stackKey={open.release} onClose={close} />}
    </ActsContext>
  )
}
