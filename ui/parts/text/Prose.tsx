import { Fragment } from 'react'
import { shortId } from './short-id.ts'
import { Time } from './Time.tsx'

const special = /(`[^`]*`|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)/

/** A sentence of the service: commands stand in it between backticks, moments and ids as the API writes them. */
export const Prose = ({ of }: { of: string }) =>
  of.split(special).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name, and their order is theirs
    <Fragment key={at}>{at % 2 === 0 ? part : <Special of={part} />}</Fragment>
  ))

const Special = ({ of }: { of: string }) => {
  if (of.startsWith('`')) return <code>{of.slice(1, -1)}</code>
  // as pages name what has it
  return of[8] === '-' ? <code>{shortId(of)}</code> : <Time at={of} as="moment" />
}
