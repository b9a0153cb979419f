import type { ReactNode } from 'react'
import { statusIcons } from './icons.tsx'
import type { StatusLook } from './table.ts'
import './status.css'

type StatusProps = {
  look: StatusLook
  /** In the place of the table's word: 'Applying, wave 2 of 3'. */
  children?: ReactNode
  /** On a tint, as the status of a whole page. */
  pill?: boolean
}

/** A status as it is shown everywhere: icon and word in its colour. */
export const Status = ({ look, children, pill = false }: StatusProps) => (
  <span className={pill ? 'status status-pill' : 'status'} data-tone={look.tone}>
    <StatusIconOf look={look} />
    <span>{children ?? look.word}</span>
  </span>
)

/** The icon alone, where the word is beside it or said by `title`. */
export const StatusIconOf = ({ look, title }: { look: StatusLook; title?: string }) => {
  const drawn = { className: 'status-icon', 'data-tone': look.tone, viewBox: '0 0 16 16', width: 16, height: 16 }
  if (title === undefined) {
    return (
      <svg {...drawn} aria-hidden="true">
        {statusIcons[look.icon]}
      </svg>
    )
  }
  return (
    <svg {...drawn} role="img" aria-label={title}>
      {statusIcons[look.icon]}
    </svg>
  )
}
