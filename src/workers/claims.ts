import type { Clock } from '#clock.ts'
import { claimFreeJobs, claimJobs } from '#db/claim-jobs.ts'
import type { RowSource } from '#db/sql.ts'
import type { Slots } from './slots.ts'

export type Claims = {
  /** Something was queued just now, here or elsewhere. */
  hear(): void
  /** Takes up to so many rows into the slots; answers how many. */
  claim(limit: number): Promise<number>
}

type ClaimsOptions = {
  session: RowSource
  worker: string
  leaseSeconds: number
  clock: Clock
  slots: Pick<Slots, 'add' | 'ids'>
}

/**
 * How a worker takes rows. One that was idle and hears of something new looks for rows of no lane first, which is quicker,
 * and for all others while those run; not twice in a row, where as many came as it had room for.
 */
export const createClaims = ({ session, worker, leaseSeconds, clock, slots }: ClaimsOptions): Claims => {
  let isNews = false
  let wasFree = false
  return {
    hear: () => {
      isNews = true
    },
    claim: async (limit) => {
      const how = { worker, leaseSeconds, now: clock.now() }
      const isFree = isNews && !wasFree && slots.ids().length === 0
      isNews = false
      const free = isFree ? await claimFreeJobs(session, { ...how, limit }) : []
      slots.add(free)
      wasFree = free.length === limit
      if (wasFree) return limit
      const jobs = await claimJobs(session, { ...how, limit: limit - free.length })
      slots.add(jobs)
      return free.length + jobs.length
    },
  }
}
