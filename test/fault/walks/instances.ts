import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applicationEnv } from '#test/helpers/application-env.ts'
import { quietPort } from '../place.ts'

/** Instances of the service, each in a process of its own on a port that it keeps. */
export type Instances = {
  urls: readonly string[]
  /** Kill -9, and started again at once. Kills of one instance come one after another. */
  kill(index: number): Promise<void>
  kills(): number
  /** What they did out of the order in which transactions lock, whether or not it held anybody up. */
  outOfOrder(): string[]
  close(): Promise<void>
}

const entry = join(import.meta.dirname, 'instance-process.ts')

/** Starts so many instances; resolves when they listen. */
export const startInstances = async (count: number, env: Record<string, string>): Promise<Instances> => {
  const ports = await Promise.all(Array.from({ length: count }, quietPort))
  const errors: string[] = []
  const running: (ChildProcess | undefined)[] = []
  let kills = 0
  const start = async (index: number): Promise<void> => {
    const child = launch({ ...env, SVC_LISTEN: `127.0.0.1:${ports[index]}` }, errors)
    running[index] = child
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`instance ${index} ended by itself: ${code ?? signal}\n${errors.slice(-5).join('\n')}`)
    })
    await Promise.race([once(child, 'message'), ended])
    ended.catch(() => {})
  }
  const end = async (index: number): Promise<void> => {
    const child = running[index]
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    kills += 1
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const last = ports.map(() => Promise.resolve())
  await Promise.all(ports.map((_, index) => start(index)))
  return {
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    kill: (index) => {
      const killed = (last[index] ?? Promise.resolve())
        .then(() => end(index))
        .then(() => start(index).catch(() => start(index)))
      last[index] = killed
      return killed
    },
    kills: () => kills,
    outOfOrder: () => errors.filter((line) => line.startsWith('out of the order of locks')),
    close: async () => {
      await Promise.allSettled(last)
      await Promise.all(ports.map((_, index) => end(index)))
    },
  }
}

const launch = (env: Record<string, string>, errors: string[]): ChildProcess => {
  const child = spawn(process.execPath, ['--max-semi-space-size=16', entry], {
    env: applicationEnv({ NODE_COMPILE_CACHE: join(tmpdir(), 'svc-fault-compiled'), ...env }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => errors.push(...text.split('\n').filter(Boolean)))
  return child
}
