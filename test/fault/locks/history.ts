/** A row of the journal of a lock, as far as it says who holds it. */
export type LockEntry = {
  /** The stack's id: a stack has one lock. */
  lock: string
  seq: number
  /** Its place among all rows of the journal. */
  entry: number
  at: Date
  event: {
    type: string
    run_id?: string | undefined
    pr_number?: number | undefined
    /** The acquisition that an apply of the stack relied on. */
    fence?: number | undefined
    actor?: string | undefined
  }
  from: string | null
  to: string
}

/** From when to when a run was at work on a stack; without an end it still is. */
export type Work = { lock: string; run: string; begun: Date; ended?: Date | undefined }

type Holder = { run: string; pull: number | undefined; since: number }

type History = {
  lock: string
  holder: Holder | undefined
  /** The runs that took it, in order: the first is number one. */
  takers: string[]
  broken: string[]
}

const free = 'free'

/**
 * What is wrong with the history of one lock, read as a list of who took it and who gave it back: two holders at a time, a release
 * by another than the holder, a number of an acquisition that is not its run's, a gap. It knows nothing of the machine.
 */
export const brokenHistory = (entries: readonly LockEntry[], work: readonly Work[] = []): string[] => {
  const history: History = { lock: entries[0]?.lock ?? '', holder: undefined, takers: [], broken: [] }
  let before: LockEntry | undefined
  for (const entry of entries) {
    follow(history, before, entry)
    numbered(history, entry)
    if (entry.event.type === 'lock.requested' && entry.to !== free) take(history, entry)
    else if (entry.to === free) giveBack(history, entry, work)
    before = entry
  }
  return history.broken
}

/** How often the lock was taken: the number of the last acquisition. */
export const acquisitions = (entries: readonly LockEntry[]): number => {
  const takes = entries.filter(({ event, to }) => event.type === 'lock.requested' && to !== free)
  return takes.filter(({ event }, index) => index === 0 || takes[index - 1]?.event.run_id !== event.run_id).length
}

const say = ({ lock, broken }: History, { seq }: LockEntry, words: string): void => {
  broken.push(`lock ${lock} at ${seq}: ${words}`)
}

/** One row follows the other, in its number, its place and its state. */
const follow = (history: History, before: LockEntry | undefined, entry: LockEntry): void => {
  if (entry.seq !== (before?.seq ?? -1) + 1) say(history, entry, 'a row is missing')
  if (before && entry.entry <= before.entry) say(history, entry, 'it was written before its predecessor')
  if (before && entry.from !== before.to) say(history, entry, `it is ${entry.from} after it was ${before.to}`)
}

/** Nobody may hold it, unless that is the same pull request, which may take it for its next apply. */
const take = (history: History, entry: LockEntry): void => {
  const { run_id: run, pr_number: pull } = entry.event
  const { holder } = history
  if (run === undefined) {
    say(history, entry, 'taken by nobody')
    return
  }
  if (holder && holder.run !== run && (pull === undefined || holder.pull !== pull))
    say(history, entry, `taken by ${run}, while ${holder.run} holds it`)
  if (holder?.run !== run) history.takers.push(run)
  history.holder = { run, pull, since: history.takers.length }
}

/** Only its holder gives it back, its pull request, or a person who releases it. */
const giveBack = (history: History, entry: LockEntry, work: readonly Work[]): void => {
  const { holder } = history
  history.holder = undefined
  if (entry.from === null || entry.from === free) return
  const wrong = holder ? wrongReturn(holder, entry, work) : 'given back, and nobody held it'
  if (wrong) say(history, entry, wrong)
}

const wrongReturn = (holder: Holder, { event, at }: LockEntry, work: readonly Work[]): string | undefined => {
  const { type, run_id: run, pr_number: pull, actor } = event
  if (type === 'release.requested') return actor ? undefined : 'released by nobody'
  if (type === 'pull_request.closed') {
    if (pull !== holder.pull) return `given back for #${pull}, while ${holder.run} of #${holder.pull} holds it`
  } else if (run !== holder.run) return `given back by ${run}, while ${holder.run} holds it`
  const isAtWork = work.some((one) => one.run === holder.run && !(one.ended && one.ended <= at))
  return isAtWork ? `given back while ${holder.run} is at work` : undefined
}

/** An acquisition that a run names is its own, and the holder's is the newest. */
const numbered = (history: History, entry: LockEntry): void => {
  const { fence, run_id: run } = entry.event
  if (fence === undefined) return
  if (history.takers[fence - 1] !== run)
    say(history, entry, `${run} names acquisition ${fence}, which is that of ${history.takers[fence - 1] ?? 'nobody'}`)
  const { holder } = history
  if (holder && holder.run === run && holder.since !== fence)
    say(history, entry, `${run} names acquisition ${fence}, and holds it by ${holder.since}`)
}

/** Two runs at work on one stack at the same time; after a release by a person that may be, and is that person's doing. */
export const overlappingWork = (entries: readonly LockEntry[], work: readonly Work[]): string[] => {
  const released = entries.filter(({ event, to }) => event.type === 'release.requested' && to === free)
  const sorted = [...work].sort((a, b) => +a.begun - +b.begun)
  return sorted.flatMap((one, index) =>
    sorted
      .slice(index + 1, index + 4)
      .filter((other) => other.run !== one.run && !(one.ended && one.ended <= other.begun))
      .filter((other) => !released.some(({ at }) => at >= one.begun && at <= other.begun))
      .map((other) => `lock ${one.lock}: ${one.run} and ${other.run} are at work at the same time`),
  )
}
