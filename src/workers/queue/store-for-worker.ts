import type { Clock } from '#clock.ts'
import type { StoreForWorker } from '#commands/deps.ts'
import type { Slots } from './slots.ts'
import { throttle } from './throttle.ts'

type Options = {
  worker: string
  leaseSeconds: number
  clock: Clock
  slots: Pick<Slots, 'spare' | 'hold' | 'begin'>
  /** Whether rows wait in the queue, as of the last look: those go first. */
  isBehind(): boolean
  /** Rows may be stored that nobody holds: the answer was lost. */
  onLost(): void
  /** None is being stored any more. */
  onStored(): void
}

export type RowsForWorker = {
  store: StoreForWorker
  isStoring(): boolean
  /** Gives no more leases; resolves when those given are used. */
  stop(): Promise<void>
}

/**
 * Rows that this worker has from the first. A queued row is written, read, written as taken, and written as done, with all its indexes each time:
 * of a delivery that comes while there is room, two of these are saved.
 */
export const rowsForWorker = ({
  worker,
  leaseSeconds,
  clock,
  slots,
  isBehind,
  onLost,
  onStored,
}: Options): RowsForWorker => {
  let promised = 0
  let stopped: PromiseWithResolvers<void> | undefined
  // what comes together is looked up and written as done together
  const begin = throttle(slots.begin)
  const hasRoom = (count: number): boolean => stopped === undefined && !isBehind() && promised + count <= slots.spare()
  return {
    isStoring: () => promised > 0,
    store: async (count, store) => {
      if (!hasRoom(count)) return
      promised += count
      try {
        slots.hold(await store({ worker, leaseSeconds, now: clock.now() }))
        begin()
      } catch (error) {
        onLost()
        throw error
      } finally {
        promised -= count
        if (promised === 0) {
          stopped?.resolve()
          onStored()
        }
      }
    },
    stop: async () => {
      stopped = Promise.withResolvers()
      if (promised > 0) await stopped.promise
    },
  }
}
