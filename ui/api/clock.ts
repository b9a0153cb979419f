/**
 * What an answer says of the service's clock: it had `date` (in whole seconds) at some moment between `sent` and `received` of
 * ours. All in milliseconds.
 */
export type Sighting = { date: number; sent: number; received: number }

/** How far the service's clock may be ahead of ours. */
export type Offset = { least: number; most: number }

/**
 * What is known after one more answer. Each narrows it down; one that contradicts them is believed alone, because clocks are set.
 */
export const sighted = (known: Offset | undefined, { date, sent, received }: Sighting): Offset => {
  const seen = { least: date - received, most: date + 1000 - sent }
  if (!known) return seen
  const both = { least: Math.max(known.least, seen.least), most: Math.min(known.most, seen.most) }
  return both.least <= both.most ? both : seen
}

/** The offset to go by: none at all where the clocks may agree. */
export const offsetOf = (known: Offset | undefined): number => {
  if (!known || (known.least <= 0 && known.most >= 0)) return 0
  return Math.round((known.least + known.most) / 2)
}

let known: Offset | undefined
let told = 0
const listeners = new Set<() => void>()

/** Below this a clock is as good as right: seconds are the finest that is shown. */
const worthTellingMs = 1000

/** Learns from an answer's Date header (milliseconds, by `Date.now`). */
export const learnClock = (header: string | null, sent: number, received: number): void => {
  const date = header === null ? Number.NaN : Date.parse(header)
  if (Number.isNaN(date)) return
  known = sighted(known, { date, sent, received })
  const offset = offsetOf(known)
  if (Math.abs(offset - told) < worthTellingMs) return
  told = offset
  for (const listener of listeners) listener()
}

/** Calls back when this machine's clock turns out to be off by more, or less, than was known. */
export const onClockLearnt = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The time at the service, in milliseconds: countdowns and ages are told by it. */
export const serviceNow = (): number => Date.now() + offsetOf(known)
