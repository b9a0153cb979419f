import { Fragment } from 'react'

/** A sentence of the service, in which a command stands between backticks. */
export const Prose = ({ of }: { of: string }) =>
  of.split('`').map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name, and their order is theirs
    <Fragment key={at}>{at % 2 === 0 ? part : <code>{part}</code>}</Fragment>
  ))
