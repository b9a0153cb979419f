import type { Clock } from '#clock.ts'
import { claimFreeJobs, claimJobs, type RowSource } from '#db/queue/claim-jobs.ts'
import type { Slots } from './slots.ts'

export type Claims = {
  /** Something was queued just now, here or elsewhere. */
  hear(): void
  /** Takes up to so many rows into the slots; returns how many. */
  claim(limit: number): Promise<number>
}

type ClaimsOptions = {
  session: RowSource
  worker: string
  leaseSeconds: number
  clock: Clock
  slots: Pick<Slots, 'hold' | 'begin' | 'ids' | 'share'>
}

/**
 * How a worker takes rows. An idle worker that hears of something new first takes rows without a lane, which is quicker, and
 * all others while those run; not twice in a row, if the first claim filled its room.
 */
export const createClaims = ({ session, worker, leaseSeconds, clock, slots }: ClaimsOptions): Claims => {
  let isNews = false
  let wasFree = false
  return {
    hear: () => {
      isNews = true
    },
    claim: async (limit) => {
      const how = { worker, leaseSeconds, now: clock.now(), share: slots.share() }
      const isFree = isNews && !wasFree && slots.ids().length === 0
      isNews = false
      const free = isFree ? await claimFreeJobs(session, { ...how, limit }) : []
      slots.hold(free)
      slots.begin()
      wasFree = free.length === limit
      if (wasFree) return limit
      const jobs = await claimJobs(session, { ...how, share: slots.share(), limit: limit - free.length })
      slots.hold(jobs)
      slots.begin()
      return free.length + jobs.length
    },
  }
}
