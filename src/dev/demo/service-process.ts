import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export type ServiceProcess = {
  pid: number
  /** Rejects when the process ends without having been stopped; never resolves. */
  lost: Promise<never>
  /**
   * Like SIGTERM, and like kill -9 if that takes longer than five seconds, or the given ones. Resolves with its exit status;
   * null if it was killed.
   */
  stop(seconds?: number): Promise<number | null>
  /** Like kill -9. */
  kill(): Promise<unknown>
}

export type ServiceProcessOptions = {
  url: string
  env: Record<string, string>
  /** Its log, which each start writes from scratch. */
  logFile: string
  /** How long the jobs of a killed process wait for another, and how long it keeps serving after SIGTERM. */
  like?: { leaseSeconds: number; lameDuckMs: number }
}

/**
 * Starts the service in a process of its own, which ends with ours however ours ends: it notices that the channel between
 * them is closed.
 */
export const startServiceProcess = async ({
  url,
  env,
  logFile,
  like,
}: ServiceProcessOptions): Promise<ServiceProcess> => {
  const log = openSync(logFile, 'w', 0o600)
  const args = like ? [String(like.leaseSeconds), String(like.lameDuckMs)] : []
  const child = spawn(process.execPath, [join(import.meta.dirname, '../unpaced-service.ts'), ...args], {
    env: { SVC_LOG_FORMAT: 'text', ...inherited(), ...env },
    stdio: ['ignore', log, log, 'ipc'],
    // Out of the terminal's reach: Ctrl-C is for us, and we stop the service once nothing needs it any more.
    detached: true,
  })
  closeSync(log)
  let isStopping = false
  const lost = once(child, 'exit').then(([code, signal]) => {
    if (isStopping) return new Promise<never>(() => {})
    throw new Error(`the service ended (${code === null ? signal : `exit status ${code}`}):\n${lastLines(logFile)}`)
  })
  // Callers that await it see the error; none has to.
  lost.catch(() => {})
  const stop = (seconds = 5): Promise<number | null> => {
    isStopping = true
    return end(child, seconds)
  }
  try {
    await Promise.race([ready(url), lost])
  } catch (error) {
    await stop()
    throw error
  }
  return { pid: child.pid ?? 0, lost, stop, kill: () => stop(0) }
}

/** The demo ignores settings of a service that the user runs besides; only the log level may be set. */
const inherited = (): NodeJS.ProcessEnv => {
  const own = Object.entries(process.env).filter(([name]) => name === 'SVC_LOG_LEVEL' || !/^(SVC|CODEHOST)_/.test(name))
  return Object.fromEntries(own)
}

const ready = async (url: string): Promise<void> => {
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await wait(20)
  }
  throw new Error(`the service at ${url} is not ready after 30 s`)
}

const end = async (child: ChildProcess, seconds: number): Promise<number | null> => {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  // On SIGTERM it lets requests and handlers finish; nothing in the demo is worth a longer wait.
  child.kill(seconds > 0 ? 'SIGTERM' : 'SIGKILL')
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000)
  await exited
  clearTimeout(timer)
  return child.exitCode
}

/** The end of a text file, for a message; empty if there is none. */
const lastLines = (file: string, count = 15): string => {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n')
  } catch {
    return ''
  }
}
