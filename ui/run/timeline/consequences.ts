import type { TimelineEntry } from '../../api/timeline.ts'
import { listed, many } from '../../parts/words.ts'
import { type Names, textIn, topOf } from './entry-facts.ts'

/** What came of a cause besides its headline: `3 locks taken`, `the run applies`, `2 stacks of wave 1 started`. */
export const consequencesOf = (
  entries: readonly TimelineEntry[],
  headline: TimelineEntry | undefined,
  names: Names,
): string[] => {
  const rest = entries.filter((entry) => entry !== headline)
  const of = (kind: TimelineEntry['kind'], is: (entry: TimelineEntry) => boolean): TimelineEntry[] =>
    rest.filter((entry) => entry.kind === kind && is(entry))
  const became = (status: string): TimelineEntry[] => of('stack', ({ from, to }) => from !== undefined && to === status)
  const taken = of('lock', ({ from, to }) => from === 'free' && to.startsWith('held.'))
  const freed = of('lock', ({ from, to }) => from?.startsWith('held.') === true && to === 'free')
  const orphaned = of('lock', ({ from, to }) => from !== to && to === 'held.orphaned')
  const unknown = became('unknown')
  return [
    ...count(taken, (n) => `${many(n, 'lock')} taken`),
    ...runWords(of('run', ({ from, to }) => from !== to)),
    ...started([...became('planning'), ...became('applying')], names),
    ...count(became('blocked'), (n) => `${many(n, 'stack')} blocked`),
    ...count(became('skipped'), (n) => `${many(n, 'stack')} skipped`),
    ...count(became('superseded'), (n) => `${many(n, 'stack')} superseded`),
    ...count(unknown, () => `${listed(unknown.map(names.nameOf), 2)} ${unknown.length === 1 ? 'is' : 'are'} unknown`),
    ...dispatched(
      of('dispatch', () => true),
      names,
    ),
    ...count(freed, (n) => `${many(n, 'lock')} released`),
    ...count(orphaned, (n) => `${many(n, 'lock')} orphaned`),
  ]
}

const count = (some: readonly unknown[], say: (count: number) => string): string[] =>
  some.length === 0 ? [] : [say(some.length)]

const runs: Record<string, string> = {
  planning: 'the run plans',
  'applying.running': 'the run applies',
  'applying.draining': 'the run drains',
  'applying.superseding': 'the run waits for what is under way, and ends',
  planned: 'the run is planned',
  applied: 'the run is applied',
  failed: 'the run failed',
  unconfirmed: 'the run is unconfirmed',
  superseded: 'the run is superseded',
}

/** Only where it ended up: in between it may have been elsewhere. */
const runWords = (entries: readonly TimelineEntry[]): string[] => {
  const to = entries.at(-1)?.to
  const words = to === undefined ? undefined : (runs[to] ?? runs[topOf(to)])
  return words === undefined ? [] : [words]
}

const started = (entries: readonly TimelineEntry[], { waveOf }: Names): string[] => {
  const byWave = [...Map.groupBy(entries, (entry) => waveOf(entry) ?? -1)]
  // plans begin all at once
  if (byWave.length > 1) return [`${many(entries.length, 'stack')} started`]
  return byWave.map(([wave, some]) =>
    wave < 0 ? `${many(some.length, 'stack')} started` : `${many(some.length, 'stack')} of wave ${wave + 1} started`,
  )
}

/** A dispatch that was made is sent, or refused with the code host's own words, or still to be sent. */
const dispatched = (entries: readonly TimelineEntry[], { nameOf }: Names): string[] => {
  const made = new Set(entries.filter(({ event }) => event.type === 'created').map(({ id }) => id))
  const ofMade = [...Map.groupBy(entries, ({ id }) => id)].filter(([id]) => made.has(id)).map(([, some]) => some)
  const got = (type: string) => (some: TimelineEntry[]) => some.findLast(({ event }) => event.type === type)
  const isOpen = (some: TimelineEntry[]): boolean => !got('dispatch.sent')(some) && !got('dispatch.refused')(some)
  const named = (some: TimelineEntry[][]): string =>
    listed(
      some.flatMap(([first]) => (first ? [nameOf(first)] : [])),
      2,
    )
  const sent = ofMade.filter((some) => got('dispatch.sent')(some))
  const refused = ofMade.flatMap((some) => (got('dispatch.sent')(some) ? [] : (got('dispatch.refused')(some) ?? [])))
  const open = ofMade.filter(isOpen)
  return [
    ...count(sent, () => `${named(sent)} sent`),
    ...refused.map((entry) => `${nameOf(entry)} was refused: ${textIn(entry, 'message')}`),
    ...count(open, () => `${named(open)} to be sent`),
  ]
}
