/** How a job is ended from outside. */
export type Cancellation = {
  /** Asked to end: steps are stopped, except those whose `if` still holds; always() steps that follow still run. */
  readonly cancelled: AbortSignal
  /** Made to end: every step is stopped and none begins. */
  readonly killed: AbortSignal
  /** The runner is gone, with everything that ran on it. */
  readonly lost: AbortSignal
  /** Resolves when the loss of the runner is noticed. */
  readonly noticed: Promise<void>
  cancel(): void
  kill(): void
  /** Takes the runner away; this is noticed after so many milliseconds, or when the job is killed. */
  lose(noticedAfterMs: number): void
}

/**
 * A cancelled job that goes on for longer is killed. Source: docs.github.com, 'Workflow cancellation reference': after 5
 * minutes everything still running is ended by force.
 */
const cancellationTimeoutMs = 5 * 60_000

export const createCancellation = (): Cancellation => {
  const soft = new AbortController()
  const hard = new AbortController()
  const gone = new AbortController()
  const notice = Promise.withResolvers<void>()
  const kill = () => {
    soft.abort()
    hard.abort()
    notice.resolve()
  }
  return {
    cancelled: soft.signal,
    killed: hard.signal,
    lost: gone.signal,
    noticed: notice.promise,
    cancel: () => {
      if (soft.signal.aborted) return
      soft.abort()
      const timer = setTimeout(kill, cancellationTimeoutMs)
      timer.unref()
    },
    kill,
    lose: (noticedAfterMs) => {
      // Before anything else, so no process gets a softer signal and time to report.
      gone.abort()
      soft.abort()
      hard.abort()
      setTimeout(notice.resolve, noticedAfterMs).unref()
    },
  }
}
