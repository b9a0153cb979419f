import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applicationEnv } from '#test/helpers/application-env.ts'
import type { News, Order } from './crashing-service.ts'

export type Supervised = {
  /** Starts the service, to be killed at that step of its start or later. */
  start(dieAt?: number): void
  /** Has the service killed so many steps from now. */
  killIn(steps: number): Promise<void>
  /** Resolves when the service listens: the restarted one, if the first was killed already. */
  up(): Promise<void>
  /** The step at which the service was killed since `start` or `killIn`; undefined: it lives. */
  killedAt(): string | undefined
  /** How many steps the service has taken since its last start. */
  steps(): Promise<number>
  /** Ends the service like kill -9. Rejects if it had ended in any other way than ordered. */
  end(): Promise<void>
  /** Ends the running process and the spare one. */
  close(): Promise<void>
}

type Child = { process: ChildProcess; listening: Promise<unknown>; closed: Promise<unknown>; said: string }

/**
 * The service of `env` as an init system runs it: started again when it is killed, on the same port. The next process waits
 * warm, so a restart costs a start without loading (60 ms instead of 400).
 */
export const supervise = (env: Record<string, string>, leaseSeconds: number): Supervised => {
  let spare = warm()
  let running: Promise<Child> | undefined
  let killedAt: string | undefined
  /** A kill that was not ordered is a fault. */
  let ordered = false

  const launch = async (dieAt?: number): Promise<Child> => {
    const child = await spare
    spare = warm()
    give(child, { kind: 'start', env, leaseSeconds, dieAt })
    void child.closed.then(() => {
      if (!ordered || child.process.signalCode !== 'SIGKILL') return
      ordered = false
      killedAt = child.said.trim()
      running = launch()
    })
    return child
  }

  const current = async (): Promise<Child> => {
    for (;;) {
      const asked = running
      if (!asked) throw new Error('no service runs')
      const child = await asked
      await Promise.race([child.listening, child.closed])
      if (asked !== running) continue
      const { exitCode, signalCode } = child.process
      if (exitCode === null && signalCode === null) return child
      throw new Error(`the service ended by itself: ${exitCode ?? signalCode}`)
    }
  }

  const end = async (): Promise<void> => {
    if (!running) return
    const child = await current()
    ordered = false
    running = undefined
    await kill(child)
  }

  return {
    start: (dieAt) => {
      killedAt = undefined
      ordered = dieAt !== undefined
      running = launch(dieAt)
    },
    killIn: async (steps) => {
      for (;;) {
        const child = await current()
        const told = newsOf(child, 'told').then(() => true)
        give(child, { kind: 'die', dieAt: steps })
        // an earlier order may be carried out only now, if the service took fewer steps than ordered
        if (await Promise.race([told, child.closed.then(() => false)])) break
      }
      killedAt = undefined
      ordered = true
    },
    up: async () => void (await current()),
    killedAt: () => killedAt,
    steps: async () => {
      const child = await current()
      const counted = newsOf(child, 'counted')
      give(child, { kind: 'count' })
      return counted
    },
    end,
    close: async () => {
      await end().catch(() => {})
      await kill(await spare)
    },
  }
}

/** A process that is gone gets no message: its end is noticed separately. */
const give = ({ process }: Child, order: Order): void => void process.send(order, () => {})

const entry = join(import.meta.dirname, 'crashing-service.ts')

const warm = async (): Promise<Child> => {
  const process = spawn(nodePath, [entry], {
    env: applicationEnv({ NODE_COMPILE_CACHE: join(tmpdir(), 'svc-fault-compiled') }),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const closed = once(process, 'close')
  const child: Child = { process, closed, listening: newsOf({ process }, 'listening'), said: '' }
  process.stdout?.setEncoding('utf8').on('data', (text: string) => {
    child.said += text
  })
  const failed = closed.then(([code, signal]) => {
    throw new Error(`the service could not be loaded: ${code ?? signal}`)
  })
  await Promise.race([newsOf(child, 'warm'), failed])
  return child
}

const nodePath = process.execPath

/** Resolves with the steps in the message; never if the process ends before. */
const newsOf = ({ process }: Pick<Child, 'process'>, kind: News['kind']): Promise<number> =>
  new Promise((resolve) => {
    const hear = (news: News): void => {
      if (news.kind !== kind) return
      process.off('message', hear)
      resolve(news.steps)
    }
    process.on('message', hear)
  })

const kill = async ({ process, closed }: Child): Promise<void> => {
  process.kill('SIGKILL')
  await closed
}
