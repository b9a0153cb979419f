import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { floatBeside } from './place.ts'
import './float.css'

type MenuProps = {
  /** What the button says, or what it is read as where it shows an icon. */
  label: string
  button: ReactNode
  className?: string
  /** Items: MenuItem, MenuChoice, or links with the role `menuitem`. */
  children: ReactNode
}

/** A button that opens a menu. Arrows go through it; Escape, a choice, or a click elsewhere closes it. */
export const Menu = ({ label, button, className = 'button', children }: MenuProps) => {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const items = (): HTMLElement[] => [...(menu.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  const opened = (): void => {
    if (opener.current && menu.current) floatBeside(opener.current, menu.current)
    items()[0]?.focus()
  }
  const move = (event: KeyboardEvent): void => {
    const all = items()
    const at = all.findIndex((item) => item.contains(document.activeElement))
    const to: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }
    const next = to[event.key]
    if (next === undefined) return
    event.preventDefault()
    all.at(next % all.length)?.focus()
  }
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
      >
        {button}
      </button>
      <div
        ref={menu}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        className="float menu"
        onToggle={(event) => {
          setOpen(event.newState === 'open')
          if (event.newState === 'open') opened()
        }}
        onKeyDown={move}
        onClick={(event) => (event.target as Element).closest('[role=menuitem]') && menu.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  )
}

/** Something that a menu does. */
export const MenuItem = ({ act, children }: { act: () => void; children: ReactNode }) => (
  <button type="button" role="menuitem" tabIndex={-1} onClick={act}>
    {children}
  </button>
)

type MenuChoiceProps = { isChosen: boolean; choose: () => void; children: ReactNode }

/** One of several of which one is chosen: the menu stays open, and shows which. */
export const MenuChoice = ({ isChosen, choose, children }: MenuChoiceProps) => (
  <button type="button" role="menuitemradio" aria-checked={isChosen} tabIndex={-1} onClick={choose}>
    <span className="menu-mark" aria-hidden="true">
      {isChosen ? '●' : '○'}
    </span>
    {children}
  </button>
)
