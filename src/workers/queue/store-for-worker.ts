import type { Clock } from '#clock.ts'
import type { StoreForWorker } from '#commands/deps.ts'
import { createNews } from './news.ts'
import type { Slots } from './slots.ts'

type Options = {
  worker: string
  leaseSeconds: number
  clock: Clock
  slots: Pick<Slots, 'spare' | 'hold' | 'begin'>
  /** Whether rows may wait in the queue: those go first. */
  isBehind(): boolean
  /** A row may be stored that nobody knows of: the answer was lost. */
  onLost(): void
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
export const rowsForWorker = ({ worker, leaseSeconds, clock, slots, isBehind, onLost }: Options): RowsForWorker => {
  let promised = 0
  let stopped: PromiseWithResolvers<void> | undefined
  // what comes together is looked up and written as done together
  const begin = createNews(slots.begin)
  const hasRoom = (count: number): boolean => stopped === undefined && !isBehind() && promised + count <= slots.spare()
  return {
    isStoring: () => promised > 0,
    store: async (count, store) => {
      if (!hasRoom(count)) return
      promised += count
      try {
        slots.hold(await store({ worker, seconds: leaseSeconds, now: clock.now() }))
        begin()
      } catch (error) {
        onLost()
        throw error
      } finally {
        promised -= count
        if (promised === 0) stopped?.resolve()
      }
    },
    stop: async () => {
      stopped = Promise.withResolvers()
      if (promised > 0) await stopped.promise
    },
  }
}
