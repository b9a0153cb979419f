import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isAlive } from '#dev/liveness.ts'
import { serverOf, signalServer } from '#test/db/replica/server-processes.ts'
import { startProofServer } from '../proofs/server.ts'
import { type Chronicle, createChronicle } from './chronicle.ts'

/**
 * `falling`: being stopped; `rising`: being started; `frozen`: takes connections and does not answer; `ill`: does only a part of
 * what it is asked.
 */
export type DatabaseState = 'up' | 'falling' | 'down' | 'rising' | 'frozen' | 'ill'

/** A Postgres that can be taken away and brought back. */
export type FallibleDatabase = {
  url: string
  chronicle: Chronicle<DatabaseState>
  /** An immediate shutdown: as in a crash, connections end without a word and the log is replayed at the next start. */
  crash(): Promise<void>
  /** Starts it again, at the same address. */
  revive(): Promise<void>
  /** Stops all its processes for a while. */
  freeze(): void
  thaw(): void
}

/**
 * The Postgres of `dir`, with the connection of `url`. Committed data survives a crash of its processes though fsync is off:
 * the log was written to the operating system, which keeps running.
 */
export const fallibleDatabase = (dir: string, url: string): FallibleDatabase => {
  const chronicle = createChronicle<DatabaseState>('up')
  const pidFile = join(dir, 'data/postmaster.pid')
  return {
    url,
    chronicle,
    crash: async () => {
      const pid = serverOf(dir)
      chronicle.enter('falling')
      process.kill(pid, 'SIGQUIT')
      while (isAlive(pid) || existsSync(pidFile)) await wait(5)
      chronicle.enter('down')
    },
    revive: async () => {
      chronicle.enter('rising')
      await startProofServer(dir, Number(new URL(url).port))
      chronicle.enter('up')
    },
    freeze: () => {
      signalServer(dir, 'SIGSTOP')
      chronicle.enter('frozen')
    },
    thaw: () => {
      chronicle.enter('rising')
      signalServer(dir, 'SIGCONT')
      chronicle.enter('up')
    },
  }
}
