type Timing = { now(): number; after(ms: number, act: () => void): void }

/** Between two sentences that are read out. */
const pauseMs = 5000

/**
 * Reads out at most one sentence in five seconds: who listens to a run of 600 stacks could do nothing else otherwise. What comes in
 * between is summed up by one sentence and how many others there were: the newest, or the newest that is not minor, if one is not.
 */
export const createAnnouncer = (say: (sentence: string) => void, { now, after }: Timing) => {
  let next = 0
  let waiting: { sentence: string; isMinor: boolean; others: number } | undefined
  const speak = (): void => {
    if (!waiting) return
    const { sentence, others } = waiting
    waiting = undefined
    next = now() + pauseMs
    say(others === 0 ? sentence : `${sentence} ${others} more ${others === 1 ? 'change' : 'changes'} beside it.`)
  }
  return (sentence: string, isMinor = false): void => {
    const isFirst = waiting === undefined
    const others = waiting === undefined ? 0 : waiting.others + 1
    waiting = isMinor && waiting?.isMinor === false ? { ...waiting, others } : { sentence, isMinor, others }
    if (now() >= next) speak()
    else if (isFirst) after(next - now(), speak)
  }
}
