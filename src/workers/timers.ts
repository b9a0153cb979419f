import type { Clock } from '#clock.ts'
import { isDatabaseDown } from '#db/database-down.ts'
import { dispatchRuns } from '#db/dispatches.ts'
import { lockLocks } from '#db/locks.ts'
import { lockRuns } from '#db/runs.ts'
import type { Pool, Tx } from '#db/sql.ts'
import { dueTimers, putOffTimer, type TimerRow, takeTimers } from '#db/timers.ts'
import { transact } from '#db/transact.ts'
import type { Log } from '#log.ts'
import { type Address, addressOf, rootOf } from '#runtime/address.ts'
import type { Runtime } from '#runtime/runtime.ts'
import { type Loop, startLoop } from './loop.ts'

const batch = 100
/** A timer whose event cannot be handled must not keep the others from ringing. */
const putOffMs = 60_000

export type TimerDeps = { pool: Pool; runtime: Runtime; clock: Clock; log: Log }

/**
 * Sends the events of timers that are due, one a machine, since the first may cancel the second. Answers how many there
 * were. A run's timers and those of stack locks ring in transactions of their own: runs are locked before stack locks.
 */
export const ringDueTimers = async (deps: TimerDeps): Promise<number> => {
  const due = firstOfEach(await dueTimers(deps.pool, deps.clock.now(), batch))
  const ofLocks = due.filter((timer) => timer.kind === 'lock')
  const ofRuns = due.filter((timer) => timer.kind !== 'lock')
  for (const timers of [ofRuns, ofLocks]) if (timers.length > 0) await ringOrSplit(deps, timers)
  if (due.length > 0) deps.runtime.wake()
  return due.length
}

const firstOfEach = (timers: readonly TimerRow[]): TimerRow[] => {
  const seen = new Set<string>()
  return timers.filter(({ kind, id }) => !seen.has(`${kind} ${id}`) && seen.add(`${kind} ${id}`))
}

const ringOrSplit = async (deps: TimerDeps, timers: TimerRow[]): Promise<void> => {
  try {
    await transact(deps.pool, (tx) => ring(deps, tx, timers))
  } catch (error) {
    const [timer] = timers
    if (timers.length > 1 || !timer) {
      for (const one of timers) await ringOrSplit(deps, [one])
      return
    }
    if (isDatabaseDown(error)) throw error
    const { kind, id, name } = timer
    deps.log.error({ err: error, kind, id, name }, 'a timer cannot ring')
    await putOffTimer(deps.pool, timer, new Date(deps.clock.now().getTime() + putOffMs))
  }
}

/**
 * Locks the machines as every other transaction does, and only then takes the timers: whoever cancels one holds its
 * machine's lock, so that the two never wait for each other, and what was cancelled or rung meanwhile is not there. Taken
 * by the transaction that delivers the event, a timer neither gets lost nor rings twice.
 */
const ring = async ({ runtime, clock }: TimerDeps, tx: Tx, timers: TimerRow[]): Promise<void> => {
  const runs = await dispatchRuns(tx, idsOf(timers, 'dispatch'))
  // that of a dispatch that is gone means nothing to anybody
  const to = ({ kind, id }: TimerRow): Address[] => {
    const address = addressOf(kind, id, runs.get(id))
    return address ? [address] : []
  }
  const roots = timers.flatMap(to).flatMap((address) => rootOf(address) ?? [])
  await lockRuns(tx, [...new Set(roots)])
  await lockLocks(tx, idsOf(timers, 'lock'))
  const taken = await takeTimers(tx, timers, clock.now())
  await runtime.sendAll(
    tx,
    taken.flatMap((timer) => to(timer).map((address) => ({ to: address, event: timer.event, actor: 'timer' }))),
  )
}

const idsOf = (timers: TimerRow[], kind: TimerRow['kind']): string[] =>
  timers.filter((timer) => timer.kind === kind).map((timer) => timer.id)

/** Looks for due timers every second; the delays themselves stand in the machines. */
export const startTimers = (deps: TimerDeps, everyMs = 1000): Pick<Loop, 'stop'> => {
  const ringAll = async (): Promise<boolean> => {
    const due = await ringDueTimers(deps).catch((error) => {
      deps.log.warn({ err: error }, 'timers cannot be read')
      return 0
    })
    return due > 0
  }
  return startLoop(ringAll, everyMs)
}
