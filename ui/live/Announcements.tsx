import { useSyncExternalStore } from 'react'
import { createAnnouncer } from './announcer.ts'

let sentence = ''
const listeners = new Set<() => void>()

const say = (text: string): void => {
  sentence = text
  for (const listener of listeners) listener()
}

/** Has a sentence read out, once what is being read has had its time. */
export const announce = createAnnouncer(say, { now: Date.now, after: (ms, act) => setTimeout(act, ms) })

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The one live region of the page. */
export const Announcements = () => (
  <output className="unseen" aria-live="polite">
    {useSyncExternalStore(subscribe, () => sentence)}
  </output>
)
