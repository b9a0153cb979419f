import { processorTime } from './processor-time.ts'

/**
 * Of the work below on cores that the bounds are for, by estimate: it took 46 ms where an event of `npm run bench -- machine` took 731 µs and other
 * figures of docs/proofs.md 2 to 2.9 times as long as theirs.
 */
const referenceMs = 20

/** What the service does most: to read and write JSON, to look up by keys, and to sort them. */
const work = (): number => {
  const rows = Array.from({ length: 50_000 }, (_, n) => ({ key: `env/${n % 97}/${n}`, tags: ['a', String(n % 7)] }))
  const read = JSON.parse(JSON.stringify(rows)) as typeof rows
  const byKey = new Map(read.map((row) => [row.key, row]))
  return [...byKey.keys()].sort().filter((key) => byKey.get(key)?.tags.includes('3')).length
}

const msOf = (one: () => unknown): number => {
  const before = processorTime()
  one()
  return processorTime() - before
}

/**
 * How many times as long as the cores that the bounds are for this machine takes for the same work; at least 1. The same build's longest turn was 71 ms
 * on one machine and 197 on another: bounds in ms would judge the machine. Of so many rounds the median counts: the first are compiled, others are
 * interrupted.
 */
export const paceOfMachine = (rounds = 5): number => {
  const times = Array.from({ length: rounds }, () => msOf(work)).sort((a, b) => a - b)
  return Math.max(1, (times[Math.floor(rounds / 2)] ?? referenceMs) / referenceMs)
}

/** What work comes to that waits for nothing, and the processor time that it would take the cores that bounds are for. */
export const measured = <T>(work: () => T): { result: T; ms: number } => {
  const before = processorTime()
  const result = work()
  const taken = processorTime() - before
  return { result, ms: taken / paceOfMachine() }
}
