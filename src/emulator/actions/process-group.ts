import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * How long a process may take after SIGINT, and after SIGTERM, before the next, harder signal. GitHub's times are 7.5 s and
 * 2.5 s (docs.github.com, 'Workflow cancellation reference').
 */
export type Grace = { interruptMs: number; terminateMs: number }

export const githubGrace: Grace = { interruptMs: 7500, terminateMs: 2500 }

export type ProcessRequest = {
  command: string
  args: readonly string[]
  cwd: string
  env: Record<string, string>
  /** Each line of both outputs, without its line end. */
  onLine: (line: string) => void
  /** Ends the process when it fires: SIGINT, SIGTERM, SIGKILL to its whole group, with the grace between them. */
  stop: AbortSignal
  /** Ends it and everything it started with SIGKILL, at once. */
  kill?: AbortSignal
  grace: Grace
}

export type Exit = { code: number | null; signal: NodeJS.Signals | null }

/** False if nothing of the group is left. */
const signalGroup = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

/** Every descendant of this process, as Linux shows it; none on a system that does not. */
const descendantsOf = (pid: number): number[] => {
  const children = new Map<number, number[]>()
  for (const name of processNames()) {
    // `pid (name) state ppid …`, where a name may hold anything
    const parent = Number(/.*\) \S (\d+)/s.exec(statOf(name))?.[1])
    children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const below = (one: number): number[] => (children.get(one) ?? []).flatMap((child) => [child, ...below(child)])
  return below(pid)
}

const processNames = (): string[] => {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

const statOf = (name: string): string => {
  try {
    return readFileSync(`/proc/${name}/stat`, 'utf8')
  } catch {
    return ''
  }
}

/** Like a machine that loses power: everything it started is gone at once, whatever groups it made. */
const killAll = (pid: number): void => {
  const all = descendantsOf(pid)
  signalGroup(pid, 'SIGKILL')
  for (const one of all) {
    try {
      process.kill(one, 'SIGKILL')
    } catch {
      // ended with the group
    }
  }
}

const readLines = (stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void => {
  let rest = ''
  stream?.setEncoding('utf8')
  stream?.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line.replace(/\r$/, ''))
  })
  stream?.on('end', () => {
    if (rest !== '') onLine(rest)
  })
}

const bringDown = async (pid: number, grace: Grace, isOver: AbortSignal): Promise<void> => {
  const steps: [NodeJS.Signals, number][] = [
    ['SIGINT', grace.interruptMs],
    ['SIGTERM', grace.terminateMs],
  ]
  for (const [signal, ms] of steps) {
    signalGroup(pid, signal)
    // Rejects if the process ends first; then there is nothing more to send.
    const isEnded = await delay(ms, false, { signal: isOver }).catch(() => true)
    if (isEnded) return
  }
  signalGroup(pid, 'SIGKILL')
}

/** If a process outside the group holds the output open, this is how long to wait for it after the exit. */
const outputGraceMs = 1000

const waitForOutput = async (child: ChildProcess, closed: Promise<unknown>): Promise<void> => {
  const timer = setTimeout(() => {
    child.stdout?.destroy()
    child.stderr?.destroy()
  }, outputGraceMs)
  await closed
  clearTimeout(timer)
}

/**
 * Runs a program in its own process group and resolves when the whole group is gone: anything that a step leaves in the
 * background ends with the step. Rejects if the program cannot be started.
 */
export const runProcess = async (request: ProcessRequest): Promise<Exit> => {
  const { command, args, cwd, env, onLine, stop, kill, grace } = request
  if (stop.aborted) return { code: null, signal: 'SIGINT' }
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  readLines(child.stdout, onLine)
  readLines(child.stderr, onLine)
  const closed = once(child, 'close')
  closed.catch(() => undefined)
  const pid = child.pid
  if (pid === undefined) {
    const [error] = await once(child, 'error').catch((reason) => [reason])
    throw new Error(`starting ${command}: ${error instanceof Error ? error.message : String(error)}`)
  }
  const over = new AbortController()
  const onStop = () => void bringDown(pid, grace, over.signal)
  const onKill = () => killAll(pid)
  kill?.addEventListener('abort', onKill, { once: true })
  stop.addEventListener('abort', onStop, { once: true })
  const [code, signal] = await once(child, 'exit')
  stop.removeEventListener('abort', onStop)
  kill?.removeEventListener('abort', onKill)
  over.abort()
  signalGroup(pid, 'SIGKILL')
  await waitForOutput(child, closed)
  return { code, signal }
}
