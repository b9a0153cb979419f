import { Problem } from '#errors.ts'

/** Whose work it is: organisations take turns, and so do the repositories of each. */
export type WaitingFor = { installationId: number; repoId: number }

export type WaitingLine = {
  /**
   * Does the work when it is this one's turn. Rejects with the signal's reason if it is aborted before, and with 503 if too many
   * wait.
   */
  turn<T>(owner: WaitingFor, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

type Waiting = WaitingFor & { begin(): Promise<unknown>; refuse(): void }

/** By then a few turns have passed. */
const retryAfter = 5

/**
 * Lets one work at a time. Organisations take turns, and within them repositories, so one with much work delays another by a
 * single turn. At most `most` wait, and of one repository an eighth of that: a line that nobody would reach the end of in time is
 * no help. When it is full, the organisation with most in it gives way: another always has a place.
 */
export const createWaitingLine = (most: number): WaitingLine => {
  let waiting: Waiting[] = []
  let isBusy = false
  /** When each organisation and each repository last had a turn, as a number that grows. */
  const served = { installations: new Map<number, number>(), repositories: new Map<number, number>() }
  let turns = 0

  const sinceTurn = ({ installationId, repoId }: Waiting): [number, number] => [
    served.installations.get(installationId) ?? 0,
    served.repositories.get(repoId) ?? 0,
  ]
  const isBefore = (one: Waiting, other: Waiting): boolean => {
    const [[ofOne, withinOne], [ofOther, withinOther]] = [sinceTurn(one), sinceTurn(other)]
    return ofOne < ofOther || (ofOne === ofOther && withinOne < withinOther)
  }
  const leave = (one: Waiting): void => {
    waiting = waiting.filter((other) => other !== one)
  }
  const next = async (): Promise<void> => {
    const [first, ...others] = waiting
    if (isBusy || !first) return
    const one = others.reduce((before, other) => (isBefore(other, before) ? other : before), first)
    leave(one)
    turns += 1
    served.installations.set(one.installationId, turns)
    served.repositories.set(one.repoId, turns)
    isBusy = true
    await one.begin()
    isBusy = false
    if (waiting.length === 0) for (const known of Object.values(served)) known.clear()
    void next()
  }
  const giveWay = (): void => {
    const one = newestOfLargest(waiting)
    leave(one)
    one.refuse()
  }

  const turn = <T>(owner: WaitingFor, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    if (waiting.filter(({ repoId }) => repoId === owner.repoId).length >= most / 8) return Promise.reject(tooMany())
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const drop = (): void => {
        leave(one)
        reject(signal.reason)
      }
      const one = {
        ...owner,
        begin: () => {
          signal.removeEventListener('abort', drop)
          return work().then(resolve, reject)
        },
        refuse: () => {
          signal.removeEventListener('abort', drop)
          reject(tooMany())
        },
      }
      signal.addEventListener('abort', drop, { once: true })
      waiting.push(one)
      if (waiting.length > most) giveWay()
      void next()
    })
  }
  return { turn }
}

/** Of the repository with most, of the organisation with most. */
const newestOfLargest = (waiting: readonly Waiting[]): Waiting => {
  const ofOne = largest(Map.groupBy(waiting, ({ installationId }) => installationId))
  const [newest] = largest(Map.groupBy(ofOne, ({ repoId }) => repoId)).slice(-1)
  if (!newest) throw new Error('nobody waits')
  return newest
}

/** Of two that are as large, the one that came later. */
const largest = (groups: ReadonlyMap<number, Waiting[]>): Waiting[] =>
  [...groups.values()].reduce((most, group) => (group.length >= most.length ? group : most), [])

const tooMany = (): Problem =>
  new Problem('unavailable', 'too many graphs wait to be resolved: try again', { retryAfter })
