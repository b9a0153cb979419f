import { paceOfMachine } from './pace.ts'
import { processorTime } from './processor-time.ts'

/**
 * Measures how long this thread's event loop is held at most, in ms of the thread's own processor time: what other processes
 * take of the machine meanwhile does not count, nor does how slow it is. The function that is returned ends it.
 */
export const longestTurn = (): (() => number) => {
  let longest = 0
  let before = processorTime()
  const look = (): void => {
    const now = processorTime()
    longest = Math.max(longest, now - before)
    before = now
  }
  const looking = setInterval(look, 1)
  return () => {
    clearInterval(looking)
    look()
    return longest / paceOfMachine()
  }
}
