import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { t as root } from 'tap'
import { startOf } from '#dev/liveness.ts'
import { postgresDirectory, startPostgres, stopPostgres } from '#dev/postgres.ts'

/*
 * One embedded server for all test processes of this checkout. The first process that asks starts it, and the last one stops it:
 * at the end of a tap run (after.ts), or of a file that node alone ran. Each process that uses it is noted in a folder, as an
 * empty file, because several runs may go on at once.
 */

/**
 * A database is 500 files, and ext4 searches long for inodes if as many were freed a moment before: a fifth of the time of tests
 * that make one each.
 */
const dir = postgresDirectory('test', { inMemory: true })
/** In memory, too, the write-ahead log may not grow to the four gigabytes that spare other servers their checkpoints. */
const settings = { max_wal_size: '512MB' }
const users = `${dir}-users`
export const self = `${process.pid}-${startOf(process.pid)}`

let started: Promise<string> | undefined

/** Administrator's address of the server for tests: TEST_DATABASE_URL if it is set, else the shared embedded one. */
export const testServer = (): Promise<string> => {
  started ??= process.env.TEST_DATABASE_URL ? Promise.resolve(process.env.TEST_DATABASE_URL) : startShared()
  return started
}

export const isExternal = (): boolean => Boolean(process.env.TEST_DATABASE_URL)

const startShared = async (): Promise<string> => {
  // Noted before the start: a process about to stop the server looks at the notes while it holds the server's lock.
  mkdirSync(users, { recursive: true, mode: 0o700 })
  writeFileSync(join(users, self), '')
  const underTap = process.env.TAP_CHILD_ID !== undefined
  if (!underTap) root.teardown(stopTestServer)
  return (await startPostgres({ dir, settings })).url
}

/** Stops the shared server unless a process of another run still uses it. */
export const stopTestServer = async (): Promise<void> => {
  rmSync(join(users, self), { force: true })
  await stopPostgres(dir, inUse)
}

const inUse = (): boolean => {
  if (!existsSync(users)) return false
  const notes = readdirSync(users)
  const gone = notes.filter((name) => !isNoteOfLiving(name))
  for (const name of gone) rmSync(join(users, name), { force: true })
  return gone.length < notes.length
}

/** Also the first part of a database's name: it shows what a killed process left behind. */
export const isNoteOfLiving = (name: string): boolean => {
  const pid = Number(name.split('-')[0])
  return `${pid}-${startOf(pid)}` === name
}
