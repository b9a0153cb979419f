import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** Why a test is skipped: the program is not on this machine. False if it is. `npm run proof -- neighbours` wants all. */
export const isMissing = (program: string): false | string =>
  spawnSync('which', [program]).status === 0 ? false : `${program} is not installed`

/** An empty folder beside the one of the test, which the emulator has. */
export const scratch = async (t: Test): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), 'svc-neighbour-'))
  t.teardown(() => rm(dir, { recursive: true }))
  return dir
}

/** Whether something takes connections at this port of this machine. */
export const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
