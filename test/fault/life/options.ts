import type { Happening, Times } from './happenings.ts'
import type { Life } from './life.ts'

export type LifeOptions = {
  /** Of an empty database of the Postgres in `postgresDir`. */
  databaseUrl: string
  postgresDir: string
  dataDir: string
  /** Pull requests, over so many seconds. */
  pulls: number
  seconds: number
  /** One after another, again and again until the seconds are over; at least once. */
  happenings: readonly Happening[]
  times: Times
  /** Repositories by full name. */
  repositories: readonly string[]
  seed: number
  /** Webhooks and requests go wrong all the time besides. */
  isRough: boolean
  /** That of production without. */
  leaseSeconds?: number
  /** Between two happenings. */
  calmSeconds: number
  /** After the last happening, without any progress: then those who wait still are told so. */
  endSeconds: number
  backOffSeconds: number
  tell(line: string): void
  /** Once all was compared, and nothing is closed yet. */
  afterwards?(life: Life): Promise<void>
  /** Says what is to be stopped besides, where the program is ended in the middle. */
  later?(stop: () => Promise<unknown>): void
}
