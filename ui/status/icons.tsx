import type { ReactNode } from 'react'
import type { StatusIcon } from './table.ts'

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.7,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

/** What is drawn on a filled shape, in the colour of the paper. */
const cut = { ...line, className: 'icon-cut' } as const

const shackle = <path {...line} d="M5 7V5a3 3 0 0 1 6 0v2" />
const body = <rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor" />

/** Each in a square of 16. A shape of its own each: colours alone tell nobody who cannot see them. */
export const statusIcons: Record<StatusIcon, ReactNode> = {
  dashes: <circle {...line} cx="8" cy="8" r="6" strokeLinecap="butt" strokeDasharray="2.6 2.1" />,
  ring: (
    <>
      <circle {...line} cx="8" cy="8" r="6" strokeOpacity="0.3" strokeWidth="2.2" />
      <path {...line} className="icon-turns" d="M8 2a6 6 0 0 1 6 6" strokeWidth="2.2" />
    </>
  ),
  sheet: <path {...line} d="M3.5 1.8h9v12.4h-9zM6 5.2h4M6 8h4M6 10.8h2.5" strokeWidth="1.6" />,
  tick: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path {...cut} d="m4.7 8.3 2.2 2.2 4.4-4.7" />
    </>
  ),
  equals: (
    <>
      <circle {...line} cx="8" cy="8" r="6.2" />
      <path {...line} d="M5 6.7h6M5 9.3h6" strokeWidth="1.5" />
    </>
  ),
  cross: (
    <>
      <path d="M5.2 1h5.6L15 5.2v5.6L10.8 15H5.2L1 10.8V5.2z" fill="currentColor" />
      <path {...cut} d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8" />
    </>
  ),
  question: (
    <>
      <path d="M8 .7 15.3 8 8 15.3.7 8z" fill="currentColor" />
      <path {...cut} d="M6.3 6.4a1.8 1.8 0 1 1 2.5 1.7c-.5.2-.8.6-.8 1.1M8 11.4v.01" strokeWidth="1.6" />
    </>
  ),
  diamond: <path {...line} d="M8 1.6 14.4 8 8 14.4 1.6 8z" />,
  bar: (
    <>
      <rect {...line} x="1.7" y="1.7" width="12.6" height="12.6" rx="2" />
      <path {...line} d="m3 13 10-10" />
    </>
  ),
  dash: <path {...line} d="M3.5 8h9" strokeWidth="2" />,
  chevrons: <path {...line} d="m3.5 4 4 4-4 4M8.5 4l4 4-4 4" />,
  check: <path {...line} d="m3 8.5 3.2 3.2L13 4.8" strokeWidth="2" />,
  drift: <path {...line} d="M1.8 10.5c2-4 4.1-4 6.2 0s4.2 4 6.2 0M1.8 5.2h12.4" />,
  refused: (
    <>
      <circle {...line} cx="8" cy="8" r="6.2" />
      <path {...line} d="m3.8 3.8 8.4 8.4" />
    </>
  ),
  lock: (
    <>
      <rect {...line} x="3.8" y="7.3" width="8.4" height="6.4" rx="1.3" />
      {shackle}
    </>
  ),
  lockFilled: (
    <>
      {body}
      {shackle}
    </>
  ),
  lockMerged: (
    <>
      {body}
      {shackle}
      <path {...cut} d="m5.8 10.5 1.6 1.6 2.8-3" strokeWidth="1.4" />
    </>
  ),
  lockOpen: (
    <>
      {body}
      <path {...line} d="M5 7V4.6a3 3 0 0 1 5.6-1.3" />
      <path {...cut} d="m6.4 9 3.2 3.2m0-3.2-3.2 3.2" strokeWidth="1.4" />
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="4.6" r="2.8" fill="currentColor" />
      <path d="M2.5 14c0-3 2.4-5 5.5-5s5.5 2 5.5 5z" fill="currentColor" />
    </>
  ),
}
