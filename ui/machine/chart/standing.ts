import type { JournalEntry } from '../../api/machines.ts'
import { type Chart, type Edge, shortName } from './chart.ts'

/** How a part of a chart is drawn: where the machine is, where it has been, where it may go next, or none of these. */
export type How = 'present' | 'seen' | 'open' | 'idle'

export type Standing = {
  present: string
  state(name: string): How
  edge(edge: Edge): How
  /** Events that lead to a state from the present one. */
  leadsTo(name: string): string[]
}

type Moment = { present: string; entries: readonly Pick<JournalEntry, 'seq' | 'event' | 'from' | 'to'>[]; at: number }

const isIn = (state: string, outer: string): boolean => state === outer || state.startsWith(`${outer}.`)

/** The arrow that a transition went along: the state's own before those of its outer states. */
const walked = (chart: Chart, { from, to, event }: Moment['entries'][number]): Edge | undefined =>
  chart.edges
    .filter((edge) => from !== undefined && isIn(from, edge.from) && edge.to === to && edge.events.includes(event.type))
    .sort((a, b) => b.from.length - a.from.length)[0]

/** What a chart shows of a machine after an entry of its journal. */
export const standingOf = (chart: Chart, { present, entries, at }: Moment): Standing => {
  const before = entries.filter(({ seq }) => seq <= at)
  const seen = new Set(before.flatMap(({ from, to }) => (from === undefined ? [to] : [from, to])))
  const taken = new Set(before.map((entry) => walked(chart, entry)))
  const open = chart.edges.filter(({ from, to }) => isIn(present, from) && to !== present)
  const reachable = new Set(open.map(({ to }) => to))
  return {
    present,
    state: (name) => (name === present ? 'present' : reachable.has(name) ? 'open' : seen.has(name) ? 'seen' : 'idle'),
    edge: (edge) => (open.includes(edge) ? 'open' : taken.has(edge) ? 'seen' : 'idle'),
    leadsTo: (name) => [...new Set(open.filter(({ to }) => to === name).flatMap(({ events }) => events))],
  }
}

/** What an event that is accepted may lead to: `failed, unconfirmed or running`; undefined where the state stays in any case. */
export const leadsWords = (chart: Chart, present: string, event: string): string | undefined => {
  const targets = chart.edges
    .filter(({ from, to, events }) => isIn(present, from) && to !== present && events.includes(event))
    .map(({ to }) => shortName(to))
  const stays = Object.entries(chart.stays).some(([name, events]) => isIn(present, name) && events.includes(event))
  const all = [...new Set(targets), ...(stays && targets.length > 0 ? ['stays'] : [])]
  const last = all.pop()
  return all.length === 0 ? last : `${all.join(', ')} or ${last}`
}
