import { Problem } from '#errors.ts'

export type WaitingLine = {
  /**
   * Does the work when it is this one's turn. Rejects with the signal's reason if it is aborted before, and with 503 at once if
   * too many wait.
   */
  turn<T>(owner: unknown, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

type Waiting = { begin(): Promise<unknown> }

/** By then a few turns have passed. */
const retryAfter = 5

/**
 * Lets one work at a time. Owners take turns, so one with much work delays another by a single turn. At most `most` wait, and of
 * one owner at most an eighth of that: a line that nobody would reach the end of in time is no help.
 */
export const createWaitingLine = (most: number): WaitingLine => {
  // the first owner is next
  const owners = new Map<unknown, Waiting[]>()
  const countOf = (owner: unknown): number => owners.get(owner)?.length ?? 0
  const all = (): number => [...owners.values()].reduce((sum, waiting) => sum + waiting.length, 0)
  let isBusy = false
  let last: unknown

  const put = (owner: unknown, waiting: Waiting[]): void => {
    owners.delete(owner)
    if (waiting.length > 0) owners.set(owner, waiting)
  }
  const next = async (): Promise<void> => {
    // what came while its owner had the turn is behind what others had waiting
    const again = owners.get(last)
    if (again && !isBusy) put(last, again)
    const [first] = owners
    if (isBusy || !first) return
    const [owner, [one, ...others]] = first
    put(owner, others)
    isBusy = true
    last = owner
    await one?.begin()
    isBusy = false
    void next()
  }
  const leave = (owner: unknown, one: Waiting): void => {
    const waiting = owners.get(owner)
    const place = waiting?.indexOf(one) ?? -1
    if (place >= 0) waiting?.splice(place, 1)
    if (waiting?.length === 0) owners.delete(owner)
  }

  const turn = <T>(owner: unknown, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    if (countOf(owner) >= most / 8 || all() >= most) return Promise.reject(tooMany())
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const drop = (): void => {
        leave(owner, one)
        reject(signal.reason)
      }
      const one = {
        begin: () => {
          signal.removeEventListener('abort', drop)
          return work().then(resolve, reject)
        },
      }
      signal.addEventListener('abort', drop, { once: true })
      owners.set(owner, [...(owners.get(owner) ?? []), one])
      void next()
    })
  }
  return { turn }
}

const tooMany = (): Problem =>
  new Problem('unavailable', 'too many graphs wait to be resolved: try again', { retryAfter })
