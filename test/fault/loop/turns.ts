import process from 'node:process'

/*
 * Loaded into the service's process before the service. At each SIGUSR2 it prints how long the turns of the event loop were
 * since the last one.
 */

/**
 * In ms of the thread's own processor time, so that other programs on the machine do not count: the longest turn, and the
 * length that a request finds under way or shorter when it comes at any time, but for one of a hundred.
 */
export type Turns = { p99: number; longest: number }

const used = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

let turns: number[] = []
let since = performance.now()
let before = used()

const look = (): void => {
  const now = used()
  turns.push(now - before)
  before = now
}

/** What is longer takes one hundredth of the time. */
const p99 = (sorted: readonly number[], ms: number): number => {
  let left = ms / 100
  for (const turn of sorted) {
    left -= turn
    if (left < 0) return turn
  }
  return 0
}

setInterval(look, 1)

process.on('SIGUSR2', () => {
  look()
  const sorted = turns.sort((a, b) => b - a)
  const told: Turns = { p99: p99(sorted, performance.now() - since), longest: sorted[0] ?? 0 }
  console.log(JSON.stringify({ turns: told }))
  turns = []
  since = performance.now()
  before = used()
})
