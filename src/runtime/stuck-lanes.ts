import type { Waiting } from './mail.ts'

/** Callers of a lane whose row stays held are refused after this long: they would give up, and ask again. */
const patienceMs = 8000

/** The lanes whose row somebody else held when it was last tried. */
export type StuckLanes = {
  has(lane: string): boolean
  add(lane: string, error: unknown): void
  delete(lane: string): void
  /** Refuses what has waited too long for a stuck lane, with the lane's last error; returns the rest. */
  refuseOld(waiting: Waiting[]): Waiting[]
}

export const createStuckLanes = (): StuckLanes => {
  const errors = new Map<string, unknown>()
  return {
    has: (lane) => errors.has(lane),
    add: (lane, error) => errors.set(lane, error),
    delete: (lane) => errors.delete(lane),
    refuseOld: (waiting) => {
      if (errors.size === 0) return waiting
      const before = performance.now() - patienceMs
      return waiting.filter(({ lane, since, reject }) => {
        const isOld = since < before && errors.has(lane)
        if (isOld) reject(errors.get(lane))
        return !isOld
      })
    },
  }
}
