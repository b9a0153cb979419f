const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type Stop = {
  /** The signal that the client was sent, once it was. */
  reason(): NodeJS.Signals | undefined
  /** Passes signals on to the process group of a program until the returned function is called. */
  passTo(pid: number): () => void
  /** Signals end the client again. */
  release(): void
}

/** False when nothing of the group is left. */
const signalGroup = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

/**
 * Takes signals for the programs that the client runs, which then end in their own way: the tool saves and unlocks its state.
 * The client goes on, and reports what came of it. The tool takes any second signal for impatience and leaves at once, so that
 * of a cancelled job's SIGINT and, 7.5 s later, SIGTERM only the first is passed on. The same one again is a person who means
 * it. Source: docs.github.com, 'Workflow cancellation reference'.
 */
export const createStop = (): Stop => {
  const groups = new Set<number>()
  let received: NodeJS.Signals | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    received ??= signal
    if (signal !== received) return
    for (const pid of groups) signalGroup(pid, signal)
  }
  for (const signal of signals) process.on(signal, onSignal)
  return {
    reason: () => received,
    passTo: (pid) => {
      groups.add(pid)
      return () => groups.delete(pid)
    },
    release: () => {
      for (const signal of signals) process.off(signal, onSignal)
    },
  }
}
