import type { TimelineEntry } from '../../api/timeline.ts'

/** What is known of what happened, in the order in which it was written, and where to go on. */
export type Journal = { entries: readonly TimelineEntry[]; after: string | undefined }

export const nothing: Journal = { entries: [], after: undefined }

const nameOf = ({ kind, id, seq }: TimelineEntry): string => `${kind} ${id} ${seq}`

/**
 * What is known after one more answer. Entries of the last five seconds come again, since one that was numbered earlier may be seen
 * later: those that are known are left out. Where nothing is new, the very same journal.
 */
export const goneOn = (known: Journal, items: readonly TimelineEntry[], after: string | undefined): Journal => {
  const names = items.length === 0 ? undefined : new Set(known.entries.map(nameOf))
  const more = items.filter((item) => !names?.has(nameOf(item)))
  const next = after ?? known.after
  if (more.length === 0 && next === known.after) return known
  return { entries: more.length === 0 ? known.entries : [...known.entries, ...more], after: next }
}
