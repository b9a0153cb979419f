import type { TimelineEntry } from '../../api/timeline.ts'

/** All that came of one request, delivery, job or timer. */
export type Cause = {
  /** Stays as it is when entries come: of the cause, or of its only entry. */
  id: string
  at: number
  entries: readonly TimelineEntry[]
}

/**
 * Entries by their cause, in the order of the first of each. What has none is the doing of a timer, or of the service's own clock:
 * all that came of it in one transaction has the same moment and actor.
 */
export const causesOf = (entries: readonly TimelineEntry[]): Cause[] => {
  const groups = new Map<string, TimelineEntry[]>()
  for (const entry of entries) {
    const id = entry.cause ?? `${entry.actor} ${entry.at}`
    const group = groups.get(id)
    if (group) group.push(entry)
    else groups.set(id, [entry])
  }
  return [...groups].map(([id, some]) => ({ id, at: Date.parse(some[0]?.at ?? ''), entries: some }))
}

/** Entries of which only the machine differs, as one line. */
export type Alike = { first: TimelineEntry; entries: readonly TimelineEntry[] }

const likeness = ({ kind, event, from, to, actor }: TimelineEntry): string =>
  [kind, event.type, from, to, actor].join(' ')

export const alikeOf = (entries: readonly TimelineEntry[]): Alike[] => {
  const all: { first: TimelineEntry; entries: TimelineEntry[] }[] = []
  for (const entry of entries) {
    const last = all.at(-1)
    if (last && entry.kind !== 'run' && likeness(last.first) === likeness(entry)) last.entries.push(entry)
    else all.push({ first: entry, entries: [entry] })
  }
  return all
}
