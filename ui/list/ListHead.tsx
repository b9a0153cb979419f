import type { ReactNode } from 'react'
import type { Liveness } from '../live/useLive.ts'
import { Live } from '../parts/feedback/Live.tsx'
import './list.css'

type ListHeadProps = { title: ReactNode; liveness: Liveness /** How many there are, and of what. */; size?: ReactNode }

/** The head of a page that is a list: its name, how much it has, and how current it is. */
export const ListHead = ({ title, liveness, size }: ListHeadProps) => (
  <header className="page-head">
    <h1>{title}</h1>
    <Live liveness={liveness} />
    {/* its line is there before the figures are: what is below does not jump */}
    <p className="quiet">{size ?? '\u00a0'}</p>
  </header>
)
