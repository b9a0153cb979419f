import type { Happening, Times } from './happenings.ts'
import type { Life } from './life.ts'

export type LifeOptions = {
  /** Their names; two by default. */
  instances?: readonly string[]
  /** Address of an empty database of the Postgres in `postgresDir`. */
  databaseUrl: string
  postgresDir: string
  dataDir: string
  /** Where a replica is to be, if lists are to be read from one. */
  replicaDir?: string
  /** Pull requests, over so many seconds. */
  pulls: number
  seconds: number
  /** One after another, again and again until the seconds are over; at least once. */
  happenings: readonly Happening[]
  times: Times
  /** Repositories by full name. */
  repositories: readonly string[]
  seed: number
  /** Webhooks and requests also go wrong all the time. */
  isRough: boolean
  /** By default production's. */
  leaseSeconds?: number
  /** Between two happenings. */
  calmSeconds: number
  /** After this long without progress since the last happening, all waits are given up. */
  endSeconds: number
  backOffSeconds: number
  tell(line: string): void
  /** Once everything was compared, and nothing is closed yet. */
  afterwards?(life: Life): Promise<void>
  /** Adds something to stop if the program is ended in the middle. */
  later?(stop: () => Promise<unknown>): void
}
