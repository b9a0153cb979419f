import { Fragment } from 'react'
import { Copy } from './Copy.tsx'
import { keyParts } from './key-parts.ts'
import './key.css'

/** The key of a stack, or an address: a line may end after each slash and colon. */
export const Key = ({ of, copy = false }: { of: string; copy?: boolean }) => (
  <span className="key">
    {keyParts(of).map((part, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name, and their order is theirs
      <Fragment key={at}>
        {part}
        <wbr />
      </Fragment>
    ))}
    {copy && <Copy text={of} what={`the key ${of}`} />}
  </span>
)
