import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from '#db/sql.ts'
import type { Emulator } from '#emulator/emulator.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import type { Standby } from '#test/db/replica/standby.ts'
import type { World } from '#test/helpers/world.ts'
import type { FallibleDatabase } from './database.ts'
import type { Instance } from './instance.ts'

/** A server that follows the database's; `url` is of the same database there. */
export type Replica = Pick<Standby, 'url' | 'stop' | 'startAgain' | 'whileFrozen'>

/** How the runner of a stack's apply job behaves if it does more than join, report and complete. */
export type Behaviour = 'dies' | 'fails' | 'sends all twice'

/** A result that a runner got a 2xx for. */
export type Reported = {
  runId: string
  key: string
  /** From the answered row. */
  status: string
  /** No two results have the same: so the stored one is recognised. */
  durationMs: number
}

/** What is left of a pull request's story: its heads in their order, and the commands written on it. */
export type Told = {
  world: World
  pull: PullRequestHandle
  heads: string[]
  commands: number[]
  keys: string[]
  end: 'merged' | 'closed' | undefined
}

/** The state that all parts of the proof share. */
export type Life = {
  github: Emulator
  pool: Pool
  database: FallibleDatabase
  /** Where lists are read from, if there is one. */
  replica?: Replica
  instances: readonly Instance[]
  /** One for each repository; `service.url` is the balancer's. */
  worlds: readonly World[]
  /** By repository and stack key. */
  behaviours: Map<string, Behaviour>
  told: Told[]
  reported: Reported[]
  /** What went wrong. */
  broken: string[]
  /** Whether waits for anything still missing are given up. */
  isOver(): boolean
  /** Seconds that a person waits after a refused command before the next. */
  backOffSeconds: number
  tell(line: string): void
}

/** Unlike any other of this process. */
let durations = 0
export const newDuration = (): number => {
  durations += 1
  return durations
}

/** The client's wait between its tries, until waits are given up. */
export function* patience(life: Life): Generator<number> {
  yield* [200, 800]
  while (!life.isOver()) yield 1000
}

/** What the service does each hour is asked for at once: nobody waits an hour here. */
const mostSeconds = 90

/** Waits until something is so; if it takes too long, the life is broken by what is said of it. */
export const inTime = async (life: Life, what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const until = performance.now() + mostSeconds * 1000
  while (!(await isSo())) {
    if (performance.now() > until) {
      life.broken.push(`${what} within ${mostSeconds} s`)
      return
    }
    await wait(500)
  }
}
