import { setTimeout as wait } from 'node:timers/promises'

/** What asks the client to end. */
export const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type Stop = {
  /** The signal that the client received, if it did. */
  reason(): NodeJS.Signals | undefined
  /** Interrupts a program's process group when a signal comes, until the returned function is called. */
  passTo(pid: number): () => void
  /** Waits so many milliseconds, or until a signal comes. */
  pause(ms: number): Promise<void>
  /** Signals end the client again. */
  release(): void
}

/**
 * Interrupts a program and everything it started, as Ctrl-C in a terminal does. The tool's plugins ignore an interrupt and leave
 * the rest to the tool. SIGTERM would kill them in the middle of their work, and SIGHUP the tool.
 */
const interrupt = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGINT')
  } catch {
    // Nothing of the group is left.
  }
}

/**
 * Takes signals for the programs that the client runs, and these then end in their own way: the tool saves and unlocks its state.
 * The client goes on and reports the outcome. The tool takes a second interrupt for impatience and leaves at once. A cancelled
 * job gets SIGINT and, 7.5 s later, SIGTERM, so only the first is passed on. The same signal again is a person who means it.
 * Source: docs.github.com, 'Workflow cancellation reference'.
 */
export const createStop = (): Stop => {
  const groups = new Set<number>()
  const stopped = new AbortController()
  let received: NodeJS.Signals | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    received ??= signal
    stopped.abort()
    if (signal === received) for (const pid of groups) interrupt(pid)
  }
  for (const signal of signals) process.on(signal, onSignal)
  return {
    reason: () => received,
    passTo: (pid) => {
      groups.add(pid)
      return () => groups.delete(pid)
    },
    pause: async (ms) => {
      // an abort is no failure of the wait: it is over
      await wait(ms, undefined, { signal: stopped.signal }).catch(() => undefined)
    },
    release: () => {
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
