import { type ReactNode, useEffect, useRef } from 'react'
import './tabs.css'

/**
 * The places of a page. Each child is a link to an address of its own; the one that is open has `aria-current`, which the router
 * sets. On phones they scroll sideways, and the one that is open is in view.
 */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => {
  const nav = useRef<HTMLElement>(null)
  const shown = useRef<Element>(null)
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]') ?? null
    // only when another one is open: nobody could scroll to the others otherwise
    if (!nav.current || !current || shown.current === current) return
    shown.current = current
    nav.current.scrollLeft =
      current.offsetLeft - nav.current.offsetLeft - (nav.current.clientWidth - current.offsetWidth) / 2
  })
  return (
    <nav ref={nav} className="tabs" aria-label={label}>
      {children}
    </nav>
  )
}

/** How many there are behind a tab. */
export const TabCount = ({ of }: { of: number }) => <span className="tab-count">{of}</span>
