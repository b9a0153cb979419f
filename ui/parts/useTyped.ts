import { useState } from 'react'

/**
 * What is typed into a field whose text is kept in the address, and how to type it. The address follows later: a field that waited for it
 * would put the caret at its end, and break off what is being composed. An empty field is no parameter.
 */
export const useTyped = (
  text = '',
  set: (text: string | undefined) => void,
): [text: string, type: (text: string) => void] => {
  const [typed, setTyped] = useState({ text, of: text })
  // the address was changed by another: shown, unless somebody has typed on since
  if (typed.of !== text)
    setTyped({ text: typed.text === text || typed.of === typed.text ? text : typed.text, of: text })
  const type = (next: string): void => {
    setTyped({ text: next, of: text })
    set(next === '' ? undefined : next)
  }
  return [typed.text, type]
}
