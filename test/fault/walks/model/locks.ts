import { isOpen, type Lock, lockOf, type Model, type Run } from './model.ts'

/* A stack's lock: who may change it (docs/interface.md, 'States'; docs/machines.md, 'lock (version 1)'). */

const free = (lock: Lock): void => {
  lock.state = 'free'
  lock.merged = false
  lock.unknown = false
  delete lock.run
  delete lock.pull
}

/** Whether somebody else than this pull request holds it. */
export const isOthers = (lock: Lock, pull: number | undefined): boolean =>
  lock.state !== 'free' && (pull === undefined || lock.pull !== pull)

/** Taken for an apply that may have it; returns the number of the acquisition. */
export const take = (lock: Lock, run: Run): number => {
  const again = lock.state !== 'free'
  if (run.pull === undefined) lock.state = 'held.manual'
  else if (!again) lock.state = 'held.claimed'
  else if (lock.state === 'held.orphaned') lock.state = 'held.changed'
  lock.run = run.id
  if (run.pull !== undefined) lock.pull = run.pull
  lock.unknown = again && lock.unknown
  lock.merged = false
  lock.fence += 1
  return lock.fence
}

export const release = (lock: Lock): boolean => {
  const held = lock.state !== 'free'
  free(lock)
  return held
}

type Settled = { run: Run; status: string; byResult: boolean; fence: number | undefined }

const isDone = (status: string): boolean => status === 'applied' || status === 'noop'

/** A stack of an apply has ended, and its lock hears of it, if it is still the one that the apply took. */
export const hearSettled = (lock: Lock, { run, status, byResult, fence }: Settled): void => {
  if (lock.run !== run.id) return
  if (['applied', 'failed', 'unconfirmed', 'unknown'].includes(status) && lock.state === 'held.claimed')
    lock.state = 'held.changed'
  if (fence !== undefined && fence !== lock.fence) return
  const isRight =
    (lock.state === 'held.manual' && byResult) ||
    (isDone(status) && (lock.state === 'held.merged' || (lock.state === 'held.orphaned' && lock.merged)))
  if (isRight) {
    free(lock)
    return
  }
  if (lock.state === 'held.merged') lock.state = 'held.orphaned'
  lock.unknown = status === 'unknown' || (lock.unknown && !byResult)
}

const untouched = new Set(['pending', 'blocked', 'skipped', 'superseded'])

/** The run that holds it has ended, with its stack in this status. */
export const hearFinished = (lock: Lock, run: Run, status: string): void => {
  if (lock.run !== run.id) return
  if (lock.state === 'held.merged') {
    if (isDone(status)) free(lock)
    else lock.state = 'held.orphaned'
  } else if (lock.state === 'held.manual' && untouched.has(status) && !lock.unknown) free(lock)
}

/** Its pull request is closed, or merged. */
const hearClosed = (model: Model, key: string, lock: Lock, merged: boolean): void => {
  if (lock.state !== 'held.claimed' && lock.state !== 'held.changed') return
  const row = model.runs.find(({ id }) => id === lock.run)?.rows[key]
  const inFlight = row !== undefined && isOpen(row)
  if (merged && inFlight) {
    lock.state = 'held.merged'
    lock.merged = true
  } else if (inFlight || lock.unknown) {
    if (merged && lock.state === 'held.changed') lock.merged = true
    lock.state = 'held.orphaned'
  } else if (merged || lock.state === 'held.claimed') free(lock)
  else lock.state = 'held.orphaned'
}

/** What the locks of a pull request hear of its state, each time the service looks at it. */
export const hearPull = (model: Model, number: number): void => {
  const pull = model.pulls[number]
  for (const key of Object.keys(model.graph)) {
    const lock = lockOf(model, key)
    if (lock.pull !== number || lock.state === 'free') continue
    if (pull?.state !== 'open') hearClosed(model, key, lock, pull?.state === 'merged')
    else if (lock.state === 'held.orphaned') lock.state = 'held.changed'
  }
}
