import { useEffect } from 'react'
import { announce } from '../../live/Announcements.tsx'
import type { RunStore } from '../../live/run-store.ts'
import { changeSentence } from './change-words.ts'

/** Has changes of statuses read out. */
export const useAnnouncedChanges = (store: RunStore): void => {
  useEffect(
    () =>
      store.watch((changes, before, after) => {
        const sentence = changeSentence(changes, before, after)
        if (sentence !== undefined) announce(sentence, before.run?.status === after.run?.status)
      }),
    [store],
  )
}
