import type { ReactNode } from 'react'
import { StatusIconOf } from '../status/Status.tsx'
import type { StatusLook } from '../status/table.ts'
import './chip.css'

type ChipProps = {
  look?: StatusLook
  children: ReactNode
  count?: number
  isOn: boolean
  toggle: () => void
}

/** A filter that is on or off, with how many it leaves. */
export const Chip = ({ look, children, count, isOn, toggle }: ChipProps) => (
  <button type="button" className="chip" aria-pressed={isOn} onClick={toggle} data-tone={look?.tone}>
    {look && <StatusIconOf look={look} />}
    <span className={look && 'chip-word'}>{children}</span>
    {count !== undefined && <b>{count}</b>}
  </button>
)

/** Filters beside each other; on phones they scroll sideways. */
export const Chips = ({ label, children }: { label: string; children: ReactNode }) => (
  <fieldset className="chips">
    <legend className="unseen">{label}</legend>
    {children}
  </fieldset>
)
