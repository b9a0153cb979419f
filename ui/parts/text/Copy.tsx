import { useState } from 'react'
import { announce } from '../../live/Announcements.tsx'
import { Icon } from '../Icon.tsx'
import './key.css'

type CopyProps = {
  text: string
  /** What it is, for who cannot see it: 'the key data/database'. */
  what: string
  /** Words on the button; its icon alone without. */
  label?: string
}

/** Copies a text. Where the browser keeps the clipboard from this page, it says so. */
export const Copy = ({ text, what, label }: CopyProps) => {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setState('copied')
      announce(`Copied ${what}.`)
    } catch {
      setState('refused')
      announce(`This browser did not let ${what} be copied.`)
    }
  }
  const words = { idle: label, copied: 'copied', refused: 'not allowed' }[state]
  return (
    <button
      type="button"
      className={label === undefined ? 'button button-small button-icon copy' : 'button button-small'}
      aria-label={label === undefined ? `Copy ${what}` : undefined}
      onClick={() => void copy()}
      onBlur={() => setState('idle')}
    >
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      {words}
    </button>
  )
}
