/** How a job is ended from outside. */
export type Cancellation = {
  /** Asked to end: steps are stopped, except those whose `if` still holds; always() steps that follow still run. */
  readonly cancelled: AbortSignal
  /** Made to end: every step is stopped and none begins. */
  readonly killed: AbortSignal
  cancel(): void
  kill(): void
}

/**
 * A cancelled job that goes on for longer is killed.
 * Source: docs.github.com, 'Workflow cancellation reference': after 5 minutes all that still runs is ended by force.
 */
const cancellationTimeoutMs = 5 * 60_000

export const createCancellation = (): Cancellation => {
  const soft = new AbortController()
  const hard = new AbortController()
  const kill = () => {
    soft.abort()
    hard.abort()
  }
  return {
    cancelled: soft.signal,
    killed: hard.signal,
    cancel: () => {
      if (soft.signal.aborted) return
      soft.abort()
      const timer = setTimeout(kill, cancellationTimeoutMs)
      timer.unref()
    },
    kill,
  }
}
