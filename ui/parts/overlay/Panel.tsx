import { type ReactNode, useId } from 'react'
import { Icon } from '../Icon.tsx'
import { useNarrow } from '../useNarrow.ts'
import { Dialog } from './Dialog.tsx'
import './panel.css'

type PanelProps = {
  title: ReactNode
  onClose: () => void
  children: ReactNode
  /** On phones too it is in the page: what is chosen must be seen beside it. */
  isInPage?: boolean
}

/** What is known of the thing that is selected: beside the page, and a sheet over it on phones. Its children are PanelParts. */
export const Panel = ({ title, onClose, children, isInPage = false }: PanelProps) => {
  const id = useId()
  const isNarrow = useNarrow()
  if (isNarrow && !isInPage) {
    return (
      <Dialog title={title} onClose={onClose}>
        {children}
      </Dialog>
    )
  }
  return (
    <section className="panel" aria-labelledby={id}>
      <header className="panel-head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="button button-icon" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </section>
  )
}

/** A part of a panel under a heading of its own. */
export const PanelPart = ({ heading, children }: { heading: ReactNode; children: ReactNode }) => (
  <section className="panel-part">
    <h3>{heading}</h3>
    {children}
  </section>
)
