import type { TimelineEntry } from '../../api/timeline.ts'
import { shortId } from '../../parts/text/short-id.ts'

/** What entries say besides their own fields: of stacks their wave, of dispatches their name. */
export type Names = { waveOf(entry: TimelineEntry): number | undefined; nameOf(entry: TimelineEntry): string }

const numberIn = (of: unknown, name: string): number | undefined => {
  const value =
    typeof of === 'object' && of !== null ? Object.entries(of).find(([key]) => key === name)?.[1] : undefined
  return typeof value === 'number' ? value : undefined
}

/** A text that an event carries. */
export const textIn = ({ event }: TimelineEntry, name: string): string | undefined => {
  const value = event[name]
  return typeof value === 'string' ? value : undefined
}

export const isTrue = ({ event }: TimelineEntry, name: string): boolean => event[name] === true

/** A machine says what it is of when it begins. */
export const namesOf = (entries: readonly TimelineEntry[]): Names => {
  const begun = new Map(
    entries
      .filter(({ event }) => event.type === 'created')
      .map(({ kind, id, event }) => [`${kind} ${id}`, event.input]),
  )
  const waveOf = ({ kind, id }: TimelineEntry) => numberIn(begun.get(`${kind} ${id}`), 'wave')
  return {
    waveOf,
    nameOf: (entry) => {
      if (entry.kind === 'run') return 'the run'
      if (entry.key !== undefined) return entry.key
      const wave = waveOf(entry)
      const part = numberIn(begun.get(`${entry.kind} ${entry.id}`), 'part')
      return wave === undefined || part === undefined
        ? `${entry.kind} ${shortId(entry.id)}`
        : `dispatch ${wave + 1}.${part}`
    },
  }
}

/** Who did it, as a person says it. */
export const whoWords = (actor: string): string => {
  if (actor.startsWith('runner:')) return 'a job'
  if (actor.startsWith('apikey:')) return `API key ${actor.slice('apikey:'.length)}`
  return (
    ({ codehost: 'the code host', system: 'the service', timer: 'a timer' } as Record<string, string>)[actor] ?? actor
  )
}

/** A status as the first part of a state: `applying` of `applying.draining`. */
export const topOf = (state: string): string => state.split('.')[0] ?? state
