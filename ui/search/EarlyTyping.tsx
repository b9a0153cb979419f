import { useLayoutEffect } from 'react'

/** What was typed for a search that had not come yet, and whether Enter was pressed. */
export type Early = { text: string; isEntered: boolean }

type EarlyTypingProps = { early: Early; onClose: () => void }

/**
 * Nothing to see, while the search comes: it keeps what is typed. It ends in the step of React that draws the search, whose field has the
 * text and the focus in that same step: a key that comes between two steps would be lost, or would take what was typed with it.
 */
export const EarlyTyping = ({ early, onClose }: EarlyTypingProps) => {
  useLayoutEffect(() => {
    const keep = (event: KeyboardEvent): void => {
      const { key } = event
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (key === 'Escape') onClose()
      else if (key === 'Enter') early.isEntered = true
      else if (key === 'Backspace') early.text = early.text.slice(0, -1)
      else if (key.length === 1) early.text += key
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    addEventListener('keydown', keep, true)
    return () => removeEventListener('keydown', keep, true)
  }, [early, onClose])
  return null
}
