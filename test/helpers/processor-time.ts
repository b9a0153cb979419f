/**
 * The processor time that this thread has used so far, in ms. Tests that hold work to a time measure it by this and not by the
 * clock: what other processes take of the machine meanwhile does not count. Some kernels count it in ticks of 10 ms.
 */
export const processorTime = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
