import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { startOf } from './liveness.ts'
import { postgresDirectory, stopPostgres } from './postgres.ts'

/** Which program makes something: each clears away only its own leftovers. */
export type Program = 'demo' | 'dev' | 'proof'

/** Names this process uniquely, in the names of what it makes: pid and start time. */
export const self = `${process.pid}-${startOf(process.pid)}`

/**
 * The directories of one process: one for its Postgres, and one for its code host, jobs and logs. Both are removed at its
 * end.
 */
export const directoriesOf = (program: Program, owner: string): { postgres: string; data: string } => ({
  postgres: postgresDirectory(`${program}-${owner}`),
  data: join(tmpdir(), `svc-${program}-${process.getuid?.() ?? 0}-${owner}`),
})

export const removePostgres = async (dir: string): Promise<void> => {
  await stopPostgres(dir)
  await removeData(dir)
}

export const removeData = (dir: string): Promise<void> => rm(dir, { recursive: true, force: true, maxRetries: 3 })

/** Clears away the leftovers of processes that were killed and could not do it themselves: their servers keep running. */
export const removeLeftovers = async (program: Program): Promise<void> => {
  const beginnings = directoriesOf(program, '')
  for (const dir of await deadOnes(beginnings.postgres)) await removePostgres(dir)
  for (const dir of await deadOnes(beginnings.data)) await removeData(dir)
}

/** Directories whose name begins so and goes on with a dead process. */
const deadOnes = async (beginning: string): Promise<string[]> => {
  const names = await readdir(dirname(beginning)).catch(() => [])
  const prefix = basename(beginning)
  return names
    .filter((name) => name.startsWith(prefix) && isDead(name.slice(prefix.length)))
    .map((name) => join(dirname(beginning), name))
}

/** A process may have several directories: what follows its name tells them apart. */
const isDead = (owner: string): boolean => {
  const [, pid, start] = /^(\d+)-(\d+)(?:-[a-z]+)?$/.exec(owner) ?? []
  return pid !== undefined && startOf(Number(pid)) !== start
}
