import type { ReactNode } from 'react'
import './empty.css'

/** Says why there is nothing, and what to do about it. */
export const Empty = ({ why, children }: { why: ReactNode; children?: ReactNode }) => (
  <div className="empty">
    <p>{why}</p>
    {children}
  </div>
)
