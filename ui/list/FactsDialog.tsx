import type { ReactNode } from 'react'
import { Dialog } from '../parts/overlay/Dialog.tsx'
import './facts.css'

type FactsDialogProps = {
  title: ReactNode
  facts: readonly (readonly [name: string, value: ReactNode])[]
  onClose: () => void
}

/** All that is known of a row, which has room for the beginning of it only. */
export const FactsDialog = ({ title, facts, onClose }: FactsDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
