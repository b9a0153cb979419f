import { useSyncExternalStore } from 'react'
import { announce } from './Announcements.tsx'
import './note.css'

/** Long enough to be read twice. */
const shownMs = 6000

let note = ''
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

const show = (text: string): void => {
  note = text
  for (const listener of listeners) listener()
}

/** Shows a sentence for a moment, and has it read out: what came of a key, where the page itself looks as before. */
export const tell = (sentence: string): void => {
  announce(sentence)
  show(sentence)
  clearTimeout(timer)
  timer = setTimeout(() => show(''), shownMs)
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The place of that sentence. It is hidden from who has it read out. */
export const Note = () => {
  const sentence = useSyncExternalStore(subscribe, () => note)
  return sentence === '' ? null : (
    <p className="note" aria-hidden="true">
      {sentence}
    </p>
  )
}
