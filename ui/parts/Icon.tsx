import type { ReactNode } from 'react'

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.6,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

const icons = {
  check: <path {...line} d="m3 8.5 3.2 3.2L13 4.8" strokeWidth="2" />,
  close: <path {...line} d="m3.5 3.5 9 9m0-9-9 9" />,
  copy: <path {...line} d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3" />,
  down: <path {...line} d="m4 6 4 4 4-4" />,
  find: <path {...line} d="M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9m3.5 8 3 3" />,
  menu: <path {...line} d="M2 4h12M2 8h12M2 12h12" />,
  outside: <path {...line} d="M6 3H3v10h10v-3M9 2.5h4.5V7M13 3 7.5 8.5" />,
  up: <path {...line} d="m4 10 4-4 4 4" />,
} satisfies Record<string, ReactNode>

/** An icon that is no status, beside a word or in a button that has a name. */
export const Icon = ({ name }: { name: keyof typeof icons }) => (
  <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    {icons[name]}
  </svg>
)
