import { z } from 'zod'
import { type JournalRow, journalAfter } from '#db/machines/journal.ts'
import type { Reader } from '#db/sql.ts'
import { actions } from '#machines/actions.ts'
import { begin, type Kind, parseEvent, parseInput, type Snapshot, stateOf, transit } from '#machines/index.ts'

type Timer = { event: { type: string }; due_at: Date }

/** A machine as it stood after one of its transitions: what it was, and the timers that were set, by name. */
export type Replayed<K extends Kind = Kind> = {
  seq: number
  at: Date
  snapshot: Snapshot<K>
  timers: ReadonlyMap<string, Timer>
}

/** A journal that this version of the machines does not lead through: no answer is better than a wrong one. */
export class Unreplayable extends Error {}

const snapshotAfter = <K extends Kind>(kind: K, before: Replayed<K> | undefined, row: JournalRow): Snapshot<K> => {
  if (row.event.type === 'created') {
    const { input, took } = row.event
    return begin(kind, parseInput(kind, input), took === undefined ? undefined : parseEvent(kind, took))
  }
  if (!before) throw new Error("it does not begin with 'created'")
  const { refusal, snapshot } = transit(kind, before.snapshot, parseEvent(kind, row.event))
  if (refusal) throw new Error(`${row.event.type} is refused: ${refusal.reason}`)
  return snapshot
}

const TimerAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('scheduleTimer'), params: actions.scheduleTimer.params }),
  z.object({ type: z.literal('cancelTimer'), params: actions.cancelTimer.params }),
])

/** A timer that rings is gone before its machine is told; by the actions as they were recorded, not as they would be now. */
const timersAfter = (before: Replayed['timers'], { actor, event, actions, at }: JournalRow): Map<string, Timer> => {
  const hasRung = (timer: Timer): boolean => actor === 'timer' && timer.event.type === event.type
  const timers = new Map([...before].filter(([, timer]) => !hasRung(timer)))
  for (const action of actions) {
    const { data } = TimerAction.safeParse(action)
    if (data?.type === 'cancelTimer') timers.delete(data.params.name)
    else if (data) {
      const { name, event, seconds } = data.params
      timers.set(name, { event, due_at: new Date(+at + seconds * 1000) })
    }
  }
  return timers
}

/**
 * One more row of a machine's journal. Throws `Unreplayable` where a row is missing, its event means nothing to the machine any
 * more, or it leads to another state than it led to then.
 */
export const replayRow = <K extends Kind>(kind: K, before: Replayed<K> | undefined, row: JournalRow): Replayed<K> => {
  try {
    const seq = (before?.seq ?? -1) + 1
    if (row.seq !== seq) throw new Error(`row ${seq} is missing`)
    const snapshot = snapshotAfter(kind, before, row)
    const state = stateOf(snapshot)
    if (state !== row.state_to) throw new Error(`${row.event.type} led to ${row.state_to}, and leads to ${state} now`)
    return { seq, at: row.at, snapshot, timers: timersAfter(before?.timers ?? new Map(), row) }
  } catch (cause) {
    throw new Unreplayable(`the journal of this ${kind} cannot be replayed at ${row.seq}`, { cause })
  }
}

/** Rows in memory at a time, and how long other requests wait for one of these: 500 transitions take some 10 ms. */
const portion = 500

/**
 * A machine as it stood after the transition `seq`, replayed from its first; undefined where it has come to no such number. The cost
 * grows with the number, which the caller bounds.
 */
export const replayTo = async <K extends Kind>(
  db: Reader,
  { kind, id, seq }: { kind: K; id: string; seq: number },
): Promise<Replayed<K> | undefined> => {
  let machine: Replayed<K> | undefined
  while ((machine?.seq ?? -1) < seq) {
    const after = machine?.seq ?? -1
    const rows = await journalAfter(db, { kind, id, after, limit: Math.min(portion, seq - after) })
    if (rows.length === 0) return undefined
    for (const row of rows) machine = replayRow(kind, machine, row)
  }
  return machine
}
