import type { ReactNode } from 'react'
import './tabs.css'

/**
 * The places of a page. Each child is a link to an address of its own; the one that is open has `aria-current`, which the router
 * sets. On phones they scroll sideways.
 */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className="tabs" aria-label={label}>
    {children}
  </nav>
)

/** How many there are behind a tab. */
export const TabCount = ({ of }: { of: number }) => <span className="tab-count">{of}</span>
