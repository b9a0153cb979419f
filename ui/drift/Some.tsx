import { type ReactNode, useState } from 'react'

type SomeProps<T> = {
  of: readonly T[]
  /** How many before somebody asks for all. */
  shown: number
  what: string
  keyOf: (one: T) => string
  children: (one: T) => ReactNode
}

/** Items of a list: the first few, and all of them once somebody asks. */
export const Some = <T,>({ of, shown, what, keyOf, children }: SomeProps<T>) => {
  const [isAll, setAll] = useState(false)
  // a button for one more takes the room of that one
  const few = isAll || of.length <= shown + 1 ? of : of.slice(0, shown)
  return (
    <>
      {few.map((one) => (
        <li key={keyOf(one)}>{children(one)}</li>
      ))}
      {(isAll || few.length < of.length) && (
        <li>
          <button type="button" className="button button-small" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
            {isAll ? `Show fewer ${what}` : `Show all ${of.length} ${what}`}
          </button>
        </li>
      )}
    </>
  )
}
