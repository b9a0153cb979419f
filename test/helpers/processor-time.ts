/**
 * The processor time that this thread has used so far, in ms. Tests that hold work to a time measure it by this and not by the
 * clock: what other processes take of the machine meanwhile does not count. Some kernels count it in ticks of 10 ms.
 */
export const processorTime = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const yardstick = JSON.stringify(Array.from({ length: 2000 }, (_, n) => ({ key: `stacks/${n}`, on: n % 2 === 0 })))

/** Of a hundred turns of the yardstick, in ms, on the machine that the limits of the tests were made on. */
const usual = 36

/**
 * How many times slower than that machine this one is now, 1 if it is none: a limit in milliseconds holds for a machine, and
 * virtual ones differ by three times from hour to hour.
 */
export const slowness = (): number => {
  const times = [1, 2, 3].map(() => {
    const before = processorTime()
    for (let turn = 0; turn < 100; turn += 1) JSON.stringify(JSON.parse(yardstick))
    return processorTime() - before
  })
  return Math.max(1, Math.min(...times) / usual)
}

/** What work comes to that waits for nothing, and the processor time that it took, as long as it takes on the usual machine. */
export const measured = <T>(work: () => T): { result: T; ms: number } => {
  const before = processorTime()
  const result = work()
  const taken = processorTime() - before
  return { result, ms: taken / slowness() }
}
