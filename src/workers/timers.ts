import { setTimeout as wait } from 'node:timers/promises'
import type { Clock } from '#clock.ts'
import { dispatchRuns } from '#db/dispatches.ts'
import type { Pool } from '#db/sql.ts'
import { dueTimers, type TimerRow } from '#db/timers.ts'
import { transact } from '#db/transact.ts'
import type { Log } from '#log.ts'
import { addressOf } from '#runtime/address.ts'
import type { Runtime } from '#runtime/runtime.ts'

const batch = 100

/**
 * Sends the events of timers that are due. The timer is taken away by the transaction that delivers its event, so that it
 * neither gets lost nor rings twice. Answers how many rang.
 */
export const ringDueTimers = async (pool: Pool, runtime: Runtime, now: Date): Promise<number> => {
  const rung = await transact(pool, async (tx) => {
    const timers = await dueTimers(tx, now, batch)
    const dispatches = timers.filter((timer) => timer.kind === 'dispatch').map((timer) => timer.id)
    const runs = dispatches.length > 0 ? await dispatchRuns(tx, dispatches) : new Map<string, string>()
    await runtime.sendAll(
      tx,
      timers.map((timer: TimerRow) => ({
        to: addressOf(timer.kind, timer.id, runs.get(timer.id)),
        event: timer.event,
        actor: 'timer',
      })),
    )
    return timers.length
  })
  if (rung > 0) runtime.wake()
  return rung
}

export type TimerLoop = { stop(): Promise<void> }

/** Looks for due timers every second; the delays themselves stand in the machines. */
export const startTimers = (deps: {
  pool: Pool
  runtime: Runtime
  clock: Clock
  log: Log
  everyMs?: number
}): TimerLoop => {
  const stopped = new AbortController()
  const loop = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const rung = await ringDueTimers(deps.pool, deps.runtime, deps.clock.now()).catch((error) => {
        deps.log.warn({ err: error }, 'timers cannot be read')
        return 0
      })
      if (rung < batch) await wait(deps.everyMs ?? 1000, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }
  const done = loop()
  return {
    stop: () => {
      stopped.abort()
      return done
    },
  }
}
