import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The process of the Postgres of `dir`. */
export const serverOf = (dir: string): number =>
  Number(readFileSync(join(dir, 'data/postmaster.pid'), 'utf8').split('\n')[0])

/** Signals all processes of the Postgres of `dir`: one that is stopped takes connections and does not answer. */
export const signalServer = (dir: string, signal: NodeJS.Signals): void => {
  const server = serverOf(dir)
  for (const pid of [server, ...childrenOf(server)]) process.kill(pid, signal)
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number)

/** Undefined if the process is gone by now. */
const parentOf = (pid: string): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}
