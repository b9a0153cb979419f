import t from 'tap'
import {
  type Action,
  begin,
  type EventOf,
  type InputOf,
  type Kind,
  type Snapshot,
  stateOf,
  type Transition,
  transit,
} from '#machines/index.ts'

/**
 * The snapshot after these events; an event that is refused or changes nothing is a mistake in the table, not in the machine.
 */
export const after = <K extends Kind>(kind: K, input: InputOf<K>, ...events: EventOf<K>[]): Snapshot<K> =>
  events.reduce(
    (snapshot, event) => {
      const next = transit(kind, snapshot, event)
      if (next.refusal) throw new Error(`${event.type} in ${stateOf(snapshot)} was refused: ${next.refusal.reason}`)
      if (!next.changed) throw new Error(`${event.type} changed nothing in ${stateOf(snapshot)}`)
      return next.snapshot
    },
    begin(kind, input),
  )

/** An action in words: its name and what distinguishes it from others of that name. */
export const say = ({ type, params }: Action): string => {
  switch (type) {
    case 'tellRun': {
      const { event } = params
      if (event.type === 'dispatch.refused') return `${type} ${event.type}`
      return `${type} ${event.type} ${event.outcome}${event.from ? ` from ${event.from}` : ''}`
    }
    case 'tellLock':
      return params.event.type === 'stack.changed'
        ? `${type} stack.changed`
        : `${type} stack.settled ${params.event.outcome}${params.event.by_result ? '' : ' without a result'}`
    case 'tellOpenStacks':
      return `${type} ${params.event.type} ${params.event.reason}`
    case 'startWave':
    case 'dispatchWave':
      return `${type} ${params.wave}`
    case 'scheduleTimer':
      return `${type} ${params.name} ${params.event.type} ${params.seconds}`
    case 'cancelTimer':
      return `${type} ${params.name}`
    default:
      return type
  }
}

/** The result of an event in words: the next state, or `refused` and the code. */
export const outcome = ({ snapshot, refusal }: Transition): string =>
  refusal ? `refused ${refusal.code}` : stateOf(snapshot)

/** In this state, on this event (and why that matters), it goes there and asks for these. */
export type Row<K extends Kind> = [from: Snapshot<K>, event: EventOf<K>, why: string, to: string, asks: string[]]

/**
 * Plays a table, one test per row; an event that is refused, or asks for nothing and stays, must have left the snapshot alone.
 */
export const play = <K extends Kind>(kind: K, rows: Row<K>[]): void => {
  for (const [from, event, why, to, asks] of rows) {
    t.test(`${kind} ${stateOf(from)}, ${event.type}${why && ` (${why})`}: ${to}`, async (t) => {
      const then = transit(kind, from, event)
      t.equal(outcome(then), to)
      t.same(then.actions.map(say), asks)
      if (then.refusal) t.equal(then.snapshot, from, 'a refusal carries the snapshot from before')
      t.equal(then.changed, JSON.stringify(then.snapshot) !== JSON.stringify(from))
    })
  }
}
