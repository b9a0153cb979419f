import type { Waiting } from './mail.ts'

/** Messages that wait in this process for their transaction, in the order in which they came. */
export type WaitingMail = {
  add(entry: Waiting): void
  /** Of one installation, each wanted; no more than one transaction takes. */
  takeGroup(isWanted: (entry: Waiting) => boolean): Waiting[]
  /** Those for the lanes of a group whose transaction is under way, as many as still fit into it. */
  takeJoining(group: readonly Waiting[]): Waiting[]
  find(isWanted: (entry: Waiting) => boolean): Waiting | undefined
  /** In front of the others: these came first. */
  putBack(entries: readonly Waiting[]): void
  /** Goes on with what is left of them. */
  keep(left: (waiting: Waiting[]) => Waiting[]): void
  isEmpty(): boolean
}

export const createWaitingMail = (mostInGroup: number): WaitingMail => {
  let waiting: Waiting[] = []
  const take = (atMost: number, fits: (entry: Waiting, taken: readonly Waiting[]) => boolean): Waiting[] => {
    const taken: Waiting[] = []
    const rest: Waiting[] = []
    for (const entry of waiting) (taken.length < atMost && fits(entry, taken) ? taken : rest).push(entry)
    waiting = rest
    return taken
  }
  return {
    add: (entry) => {
      waiting.push(entry)
    },
    takeGroup: (isWanted) => take(mostInGroup, (entry, group) => isAlike(group, entry) && isWanted(entry)),
    takeJoining: (group) => {
      const lanes = new Set(group.map(({ lane }) => lane))
      return take(mostInGroup - group.length, (entry) => lanes.has(entry.lane) && isAlike(group, entry))
    },
    find: (isWanted) => waiting.find(isWanted),
    putBack: (entries) => {
      waiting = [...entries, ...waiting]
    },
    keep: (left) => {
      waiting = left(waiting)
    },
    isEmpty: () => waiting.length === 0,
  }
}

/** A transaction is of one installation. */
const isAlike = ([first]: readonly Waiting[], entry: Waiting): boolean =>
  first === undefined || first.installationId === entry.installationId
