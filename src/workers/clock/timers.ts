import type { Clock } from '#clock.ts'
import { databaseTrouble, isDatabaseDown } from '#db/database-trouble.ts'
import { dispatchRuns } from '#db/machines/dispatches.ts'
import { lockLocks } from '#db/machines/locks.ts'
import { lockRuns } from '#db/machines/runs.ts'
import { dueTimers, putOffTimer, type TimerRow, takeTimers } from '#db/queue/timers.ts'
import type { Pool } from '#db/sql.ts'
import { ofInstallation, type TenantTx } from '#db/tenant.ts'
import { transact, waitBriefly } from '#db/transact.ts'
import type { Log } from '#log.ts'
import { addressOf, laneOf, rootOf } from '#runtime/address.ts'
import type { Runtime } from '#runtime/runtime.ts'
import { timerMessage } from '#runtime/timer-message.ts'
import { type Loop, startLoop } from '../loop.ts'

const batch = 100
/** A timer whose event cannot be handled must not keep the others from ringing. */
const putOffMs = 60_000
const heldMs = 10_000

export type TimerDeps = { pool: Pool; runtime: Runtime; clock: Clock; log: Log }

/**
 * Sends the events of due timers, one for each machine, since the first may cancel the second. Returns how many there were.
 * Timers of runs and of stack locks ring in separate transactions: runs are locked before stack locks. So do those of several
 * installations.
 */
export const ringDueTimers = async (deps: TimerDeps): Promise<number> => {
  const due = firstOfEach(await dueTimers(deps.pool, deps.clock.now(), batch))
  const ofLocks = due.filter((timer) => timer.kind === 'lock')
  const ofRuns = due.filter((timer) => timer.kind !== 'lock')
  for (const timers of [ofRuns, ofLocks]) {
    const alike = Map.groupBy(timers, (timer) => timer.installation_id)
    for (const [installationId, own] of alike) await ringOrSplit(deps, installationId, own)
  }
  if (due.length > 0) deps.runtime.wake()
  return due.length
}

const firstOfEach = (timers: readonly TimerRow[]): TimerRow[] => {
  const seen = new Set<string>()
  return timers.filter(({ kind, id }) => !seen.has(`${kind} ${id}`) && seen.add(`${kind} ${id}`))
}

/** All of an installation in one transaction. If that fails, those of each run or lock in one of their own, and then each alone. */
const ringOrSplit = async (deps: TimerDeps, installationId: number, timers: readonly TimerRow[]): Promise<void> => {
  const error = await troubleRinging(deps, installationId, timers)
  if (error === undefined) return
  if (isDatabaseDown(error)) throw error
  const groups = await ofEachRoot(deps, installationId, timers)
  if (groups.length > 1) {
    for (const group of groups) await ringOrSplit(deps, installationId, group)
    return
  }
  // the row of their run is held: none of them waits for it again, and the others need not wait for them
  if (databaseTrouble(error) === 'held') {
    for (const timer of timers) await putOff(deps, timer, heldMs)
    return
  }
  const [timer] = timers
  if (timers.length > 1 || !timer) {
    for (const one of timers) await ringOrSplit(deps, installationId, [one])
    return
  }
  const { kind, id, name } = timer
  deps.log.error({ err: error, kind, id, name }, 'a timer cannot ring')
  await putOff(deps, timer, putOffMs)
}

const troubleRinging = (
  deps: TimerDeps,
  installationId: number,
  timers: readonly TimerRow[],
): Promise<Error | undefined> =>
  transact(ofInstallation(deps.pool, installationId), (tx) => ring(deps, tx, timers)).then(
    () => undefined,
    (error: Error) => error,
  )

/** Timers that wait for the same row: of a run with its stacks and dispatches, or of a lock. */
const ofEachRoot = async (
  { pool }: TimerDeps,
  installationId: number,
  timers: readonly TimerRow[],
): Promise<readonly TimerRow[][]> => {
  if (timers.length === 1) return [[...timers]]
  const runs = await dispatchRuns(ofInstallation(pool, installationId), idsOf(timers, 'dispatch'))
  const lane = ({ kind, id }: TimerRow): string => {
    const address = addressOf(kind, id, runs.get(id))
    return address ? laneOf(address) : id
  }
  return [...Map.groupBy(timers, lane).values()]
}

const putOff = ({ pool, clock }: TimerDeps, timer: TimerRow, ms: number): Promise<void> =>
  putOffTimer(pool, timer, new Date(+clock.now() + ms))

/**
 * Locks the machines as every other transaction does, and only then takes the timers. Cancelling a timer needs its machine's
 * lock, so the two never wait for each other, and timers cancelled or rung meanwhile are gone. A timer is taken by the
 * transaction that delivers its event: it neither gets lost nor rings twice.
 */
const ring = async ({ runtime, clock }: TimerDeps, tx: TenantTx, timers: readonly TimerRow[]): Promise<void> => {
  await waitBriefly(tx)
  const runs = await dispatchRuns(tx, idsOf(timers, 'dispatch'))
  const addresses = timers.flatMap(({ kind, id }) => addressOf(kind, id, runs.get(id)) ?? [])
  const roots = addresses.flatMap((address) => rootOf(address) ?? [])
  await lockRuns(tx, [...new Set(roots)])
  await lockLocks(tx, idsOf(timers, 'lock'))
  const taken = await takeTimers(tx, timers, clock.now())
  await runtime.sendAll(
    tx,
    // a timer of a dispatch that is gone has no machine to go to
    taken.flatMap((timer) => timerMessage(timer, runs.get(timer.id)) ?? []),
  )
}

const idsOf = (timers: readonly TimerRow[], kind: TimerRow['kind']): string[] =>
  timers.filter((timer) => timer.kind === kind).map((timer) => timer.id)

/** Polls for due timers every second; the machines define the delays. */
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
