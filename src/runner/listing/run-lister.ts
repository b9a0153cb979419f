import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Problem } from '#errors.ts'
import { signals } from '../job/stop.ts'
import { cutBeginning, printable } from '../mask/sendable-text.ts'

/** How long a command may take, and how much it may print: twice what a graph may have. */
const bounds = { ms: 5 * 60 * 1000, bytes: 16 * 1024 * 1024 }

const ERROR_BYTES = 4 * 1024

/** A command that lists stacks has no business with the job's identity. What it runs may be of the pull request. */
const withheld = /^(?:ACTIONS_ID_TOKEN_REQUEST_|ACTIONS_RUNTIME_TOKEN$)/

type Bounds = { root: string; all: Readonly<Record<string, string>>; ms?: number; bytes?: number }

/**
 * Runs a command of the repository and returns what it prints. Throws a Problem with the end of its errors if it fails, takes too
 * long or prints too much, or if a signal comes; whatever it started is ended then.
 */
export const runLister = async (command: string, within: Bounds): Promise<string> => {
  const stopped = new AbortController()
  const onSignal = (signal: NodeJS.Signals): void => stopped.abort(`was ended, since svc was sent ${signal}`)
  // before the command begins: a signal that came between the two would end svc alone
  for (const signal of signals) process.on(signal, onSignal)
  try {
    return await listed(command, within, stopped.signal)
  } finally {
    for (const signal of signals) process.off(signal, onSignal)
  }
}

const listed = async (
  command: string,
  { root, all, ms = bounds.ms, bytes = bounds.bytes }: Bounds,
  stopped: AbortSignal,
): Promise<string> => {
  const env = Object.fromEntries(Object.entries(all).filter(([name]) => !withheld.test(name)))
  const child = spawn('sh', ['-c', command], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let ended: string | undefined
  const end = (why: string): void => {
    ended ??= why
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
    child.stdout.destroy()
    child.stderr.destroy()
  }
  // In a group of its own it gets none of the terminal's.
  stopped.addEventListener('abort', () => end(String(stopped.reason)))
  const timer = setTimeout(() => end(`took longer than ${ms / 1000} seconds`), ms)
  const printed: Buffer[] = []
  let size = 0
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > bytes) end(`printed more than ${bytes / 1024 / 1024} MB`)
    else printed.push(chunk)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString('utf8')).slice(-ERROR_BYTES)
  })
  const [code, signal] = await once(child, 'close').catch((error: Error) => [error.message, null])
  clearTimeout(timer)
  if (ended === undefined && code === 0) return Buffer.concat(printed).toString('utf8')
  const why = ended ?? (signal === null ? `ended with exit status ${code}` : `was ended by ${signal}`)
  const said = cutBeginning(printable(errors).trim(), ERROR_BYTES)
  throw new Problem('invalid', `discover.command \`${command}\` ${why}${said === '' ? '' : `:\n${said}`}`)
}
