/**
 * Measures how long this thread's event loop is held at most, in ms of the thread's own processor time: what other processes
 * take of the machine meanwhile does not count. The function that is returned ends it.
 */
export const longestTurn = (): (() => number) => {
  const used = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longest = 0
  let before = used()
  const look = (): void => {
    const now = used()
    longest = Math.max(longest, now - before)
    before = now
  }
  const looking = setInterval(look, 1)
  return () => {
    clearInterval(looking)
    look()
    return longest
  }
}
