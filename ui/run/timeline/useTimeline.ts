import { useQueryClient } from '@tanstack/react-query'
import { readTimeline } from '../../api/timeline.ts'
import type { Pace } from '../../live/rhythm.ts'
import { type Live, useLive } from '../../live/useLive.ts'
import { goneOn, type Journal, nothing } from './journal.ts'

/** What happened to a run. Each question asks only for what came since. */
export const useTimeline = (id: string, pace: Pace): Live<Journal> => {
  const queries = useQueryClient()
  const key = ['run-timeline', id]
  return useLive({
    key,
    pace,
    read: async (signal) => {
      let journal = queries.getQueryData<Journal>(key) ?? nothing
      for (;;) {
        const page = await readTimeline(id, journal.after, signal)
        journal = goneOn(journal, page.items, page.next_cursor ?? page.after)
        if (page.next_cursor === undefined) return journal
      }
    },
  })
}
