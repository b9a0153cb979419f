import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { startOf } from '../liveness.ts'
import { postgresDirectory, stopPostgres } from '../postgres.ts'

/** Names this process for good, in the names of what it makes: number and start. */
export const self = `${process.pid}-${startOf(process.pid)}`

/** Of one demo: a directory of its Postgres, and one of its code host, jobs and logs. Both are removed at its end. */
export const directoriesOf = (demo: string): { postgres: string; data: string } => ({
  postgres: postgresDirectory(`demo-${demo}`),
  data: join(tmpdir(), `svc-demo-${process.getuid?.() ?? 0}-${demo}`),
})

export const removePostgres = async (dir: string): Promise<void> => {
  await stopPostgres(dir)
  await rm(dir, { recursive: true, force: true, maxRetries: 3 })
}

export const removeData = (dir: string): Promise<void> => rm(dir, { recursive: true, force: true, maxRetries: 3 })

/** Clears away what demos left that were killed and could not do it themselves: their servers run on. */
export const removeLeftovers = async (): Promise<void> => {
  const own = directoriesOf('')
  for (const dir of await deadOnes(own.postgres)) await removePostgres(dir)
  for (const dir of await deadOnes(own.data)) await removeData(dir)
}

/** Directories whose name begins so and goes on with a process that is no more. */
const deadOnes = async (beginning: string): Promise<string[]> => {
  const names = await readdir(dirname(beginning)).catch(() => [])
  const prefix = basename(beginning)
  return names
    .filter((name) => name.startsWith(prefix) && isDead(name.slice(prefix.length)))
    .map((name) => join(dirname(beginning), name))
}

const isDead = (demo: string): boolean => {
  const [, pid, start] = /^(\d+)-(\d+)$/.exec(demo) ?? []
  return pid !== undefined && startOf(Number(pid)) !== start
}
