import { useState } from 'react'
import { Finder } from './Finder.tsx'

/** The search in the middle of a page that is not there. */
export const SearchHere = () => {
  const [text, setText] = useState('')
  return <Finder text={text} setText={setText} />
}
