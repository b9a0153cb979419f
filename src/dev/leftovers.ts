import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { startOf } from './liveness.ts'
import { postgresDirectory, stopPostgres } from './postgres.ts'

/** Which program makes something: its leftovers are its own to clear away. */
export type Program = 'demo' | 'dev' | 'proof'

/** Names this process for good, in the names of what it makes: number and start. */
export const self = `${process.pid}-${startOf(process.pid)}`

/** Of one process: a directory of its Postgres, and one of its code host, jobs and logs. Both are removed at its end. */
export const directoriesOf = (program: Program, owner: string): { postgres: string; data: string } => ({
  postgres: postgresDirectory(`${program}-${owner}`),
  data: join(tmpdir(), `svc-${program}-${process.getuid?.() ?? 0}-${owner}`),
})

export const removePostgres = async (dir: string): Promise<void> => {
  await stopPostgres(dir)
  await removeData(dir)
}

export const removeData = (dir: string): Promise<void> => rm(dir, { recursive: true, force: true, maxRetries: 3 })

/** Clears away what processes left that were killed and could not do it themselves: their servers run on. */
export const removeLeftovers = async (program: Program): Promise<void> => {
  const beginnings = directoriesOf(program, '')
  for (const dir of await deadOnes(beginnings.postgres)) await removePostgres(dir)
  for (const dir of await deadOnes(beginnings.data)) await removeData(dir)
}

/** Directories whose name begins so and goes on with a process that is no more. */
const deadOnes = async (beginning: string): Promise<string[]> => {
  const names = await readdir(dirname(beginning)).catch(() => [])
  const prefix = basename(beginning)
  return names
    .filter((name) => name.startsWith(prefix) && isDead(name.slice(prefix.length)))
    .map((name) => join(dirname(beginning), name))
}

const isDead = (owner: string): boolean => {
  const [, pid, start] = /^(\d+)-(\d+)$/.exec(owner) ?? []
  return pid !== undefined && startOf(Number(pid)) !== start
}
