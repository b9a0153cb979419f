type Timing = { now(): number; after(ms: number, act: () => void): void }

/** Between two sentences that are read out. */
const pauseMs = 5000

/**
 * Reads out at most one sentence in five seconds: who listens to a run of 600 stacks could do nothing else otherwise. What comes in
 * between is summed up by the newest sentence and how many there were.
 */
export const createAnnouncer = (say: (sentence: string) => void, { now, after }: Timing) => {
  let next = 0
  let waiting: { sentence: string; before: number } | undefined
  const speak = (): void => {
    if (!waiting) return
    const { sentence, before } = waiting
    waiting = undefined
    next = now() + pauseMs
    say(before === 0 ? sentence : `${sentence} ${before} more ${before === 1 ? 'change' : 'changes'} before it.`)
  }
  return (sentence: string): void => {
    const isFirst = waiting === undefined
    waiting = { sentence, before: waiting === undefined ? 0 : waiting.before + 1 }
    if (now() >= next) speak()
    else if (isFirst) after(next - now(), speak)
  }
}
