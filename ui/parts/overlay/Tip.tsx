import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { floatBeside } from './place.ts'
import './float.css'

type TipProps = {
  /** What is said of it. */
  tip: ReactNode
  children: ReactNode
  /** False inside of something that has the focus itself, such as a row of a table. */
  focusable?: boolean
}

/** Says more of something while the pointer is on it, or the focus; Escape takes it away. */
export const Tip = ({ tip, children, focusable = true }: TipProps) => {
  const id = useId()
  const about = useRef<HTMLSpanElement>(null)
  const floating = useRef<HTMLSpanElement>(null)
  const show = (): void => {
    if (!about.current || !floating.current || floating.current.matches(':popover-open')) return
    floating.current.showPopover()
    floatBeside(about.current, floating.current)
  }
  const hide = (): void => floating.current?.hidePopover()
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !floating.current?.matches(':popover-open')) return
    hide()
    // or the page would go back at the same key
    event.preventDefault()
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it answers to the pointer as to the focus, and does nothing else */}
      <span
        ref={about}
        className="tip"
        aria-describedby={id}
        tabIndex={focusable ? 0 : undefined}
        onMouseEnter={show}
        onMouseLeave={hide}
        onFocus={show}
        onBlur={hide}
        onKeyDown={press}
      >
        {children}
      </span>
      <span ref={floating} id={id} role="tooltip" popover="manual" className="float tip-text">
        {tip}
      </span>
    </>
  )
}
