import type { PersonOrKey } from '#commands/callers/caller.ts'
import { timersOf } from '#db/queue/timers.ts'
import type { Pool } from '#db/sql.ts'
import { ofInstallation } from '#db/tenant.ts'
import type { MachineView } from '#db/views/machine-view.ts'
import { limits } from '#domain/limits.ts'
import { invalid, Problem } from '#errors.ts'
import { inspect, inspectReplayed, type Kind } from '#runtime/inspect.ts'
import { replayTo, Unreplayable } from '#runtime/replay.ts'
import type { RequestDeps } from '../deps.ts'
import { type AskedMachine, askedMachine, withoutDigest } from './asked-machine.ts'

/** A kind of machine as data, made from the machine itself: for everyone who may see any. */
export { describeMachine } from '#runtime/inspect.ts'

/** A machine as it is now, or was after the transition `seq`, with the events that it would accept and the timers that it waits for. */
export const readMachine = async (
  deps: Pick<RequestDeps, 'pool' | 'rowsOf'>,
  caller: PersonOrKey,
  asked: AskedMachine & { seq?: number | undefined },
) => {
  const { view, journalId: id, rows } = await askedMachine(deps, caller, asked)
  const { kind, seq = view.seq } = asked
  const machine = seq === view.seq ? await present(rows, { kind, id }, view) : await past(rows, { kind, id }, seq)
  const { context, timers, updatedAt, ...rest } = machine
  return {
    kind,
    id,
    ...rest,
    context: withoutDigest(context),
    timers: timers.map(({ name, event, due_at }) => ({ name, event: event.type, due_at: due_at.toISOString() })),
    updated_at: updatedAt.toISOString(),
  }
}

type Found = { kind: Kind; id: string }

const present = async (pool: Pool, { kind, id }: Found, view: MachineView) => {
  const { seq, version, updated_at: updatedAt } = view
  const timers = await timersOf(ofInstallation(pool, view.installation_id), kind, id)
  return { seq, version, ...inspect(kind, view), timers, updatedAt }
}

/** Replayed from the journal, since snapshots are kept of the present alone. */
const past = async (pool: Pool, { kind, id }: Found, seq: number) => {
  if (seq > limits.replayedTransitions) throw invalid('seq', `must be at most ${limits.replayedTransitions}`)
  const replayed = await replayTo(pool, { kind, id, seq }).catch((error) => {
    if (error instanceof Unreplayable) throw new Problem('conflict', error.message, { cause: error })
    throw error
  })
  if (!replayed) throw new Problem('not_found', `this ${kind} has not come to transition ${seq}`)
  const { at: updatedAt, snapshot, timers } = replayed
  return { seq, ...inspectReplayed(kind, snapshot), timers: inOrder(timers), updatedAt }
}

const inOrder = <T extends { due_at: Date }>(timers: ReadonlyMap<string, T>) =>
  [...timers].map(([name, timer]) => ({ name, ...timer })).sort((a, b) => +a.due_at - +b.due_at)
