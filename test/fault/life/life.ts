import type { Pool } from '#db/sql.ts'
import type { Emulator } from '#emulator/emulator.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import type { World } from '#test/helpers/world.ts'
import type { FallibleDatabase } from './database.ts'
import type { Instance } from './instance.ts'

/** How the runner of a stack's apply job behaves, where it does not just join, report and complete. */
export type Behaviour = 'dies' | 'fails' | 'sends all twice'

/** A result that a runner got a 2xx for. */
export type Reported = {
  runId: string
  key: string
  /** Of the row that was answered. */
  status: string
  /** No two results have the same: what is stored is that very one. */
  durationMs: number
}

/** What is left of a pull request's story: its heads in their order, and the commands that were written on it. */
export type Told = {
  world: World
  pull: PullRequestHandle
  heads: string[]
  commands: number[]
  keys: string[]
  end: 'merged' | 'closed' | undefined
}

/** Everything that those who take part in the proof share. */
export type Life = {
  github: Emulator
  pool: Pool
  database: FallibleDatabase
  instances: readonly Instance[]
  /** One for each repository; `service.url` is the balancer's. */
  worlds: readonly World[]
  /** By repository and stack key. */
  behaviours: Map<string, Behaviour>
  told: Told[]
  reported: Reported[]
  /** What must not have happened. */
  broken: string[]
  /** Nobody waits any longer for what should have come. */
  isOver(): boolean
  /** Seconds that whose command was refused waits before the next. */
  backOffSeconds: number
  tell(line: string): void
}

/** Unlike any other of this process. */
let durations = 0
export const newDuration = (): number => {
  durations += 1
  return durations
}

/** What a client waits between its tries, as long as anybody waits. */
export function* patience(life: Life): Generator<number> {
  yield* [200, 800]
  while (!life.isOver()) yield 1000
}
