const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export type Stop = {
  /** The signal that the client was sent, once it was. */
  reason(): NodeJS.Signals | undefined
  /** Interrupts the process group of a program at a signal, until the returned function is called. */
  passTo(pid: number): () => void
  /** Signals end the client again. */
  release(): void
}

/**
 * Interrupts a program and all that it started, as Ctrl-C in a terminal does. The plugins of the tool let an interrupt pass
 * and leave it to the tool what becomes of it; SIGTERM would end them in the middle of their work, and SIGHUP the tool.
 */
const interrupt = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGINT')
  } catch {
    // Nothing of the group is left.
  }
}

/**
 * Takes signals for the programs that the client runs, which then end in their own way: the tool saves and unlocks its state.
 * The client goes on, and reports what came of it. The tool takes a second interrupt for impatience and leaves at once, so
 * that of a cancelled job's SIGINT and, 7.5 s later, SIGTERM only the first is passed on. The same one again is a person who
 * means it. Source: docs.github.com, 'Workflow cancellation reference'.
 */
export const createStop = (): Stop => {
  const groups = new Set<number>()
  let received: NodeJS.Signals | undefined
  const onSignal = (signal: NodeJS.Signals): void => {
    received ??= signal
    if (signal === received) for (const pid of groups) interrupt(pid)
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
