import { Fragment } from 'react'
import { Time } from './Time.tsx'

const special = /(`[^`]*`|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/

/** A sentence of the service: commands stand in it between backticks, and moments as the API writes them. */
export const Prose = ({ of }: { of: string }) =>
  of.split(special).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name, and their order is theirs
    <Fragment key={at}>{at % 2 === 0 ? part : <Special of={part} />}</Fragment>
  ))

const Special = ({ of }: { of: string }) =>
  of.startsWith('`') ? <code>{of.slice(1, -1)}</code> : <Time at={of} as="moment" />
