import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Icon } from '../Icon.tsx'
import './dialog.css'

type DialogProps = {
  title: ReactNode
  onClose: () => void
  children: ReactNode
  /** Buttons at its end. */
  foot?: ReactNode
  /** Something is under way, whose end is told here: it stays open. */
  isHeld?: boolean
}

/**
 * A dialog over the page, open as long as it is drawn: the browser keeps the focus inside, asks to close it at Escape, and gives the
 * focus back. A sheet from below on phones.
 */
export const Dialog = ({ title, onClose, children, foot, isHeld = false }: DialogProps) => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // closed before it is taken out of the page: afterwards the browser no longer gives the focus back
  useLayoutEffect(() => {
    const shown = dialog.current
    if (shown && !shown.open) shown.showModal()
    return () => shown?.close()
  }, [])
  const close = (): void => {
    if (!isHeld) onClose()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is what a click beside it is to a pointer, and the browser's own
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      // `close` would come in a task of its own: a key pressed before it would find a dialog that is shut and still drawn
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      // a browser closes it at the second Escape, whatever is said to the first
      onClose={() => isHeld && dialog.current?.showModal()}
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <div className="dialog-box">
        <header className="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" className="button button-icon" aria-label="Close" disabled={isHeld} onClick={close}>
            <Icon name="close" />
          </button>
        </header>
        <div className="dialog-body">{children}</div>
        {foot !== undefined && <footer className="dialog-foot">{foot}</footer>}
      </div>
    </dialog>
  )
}
