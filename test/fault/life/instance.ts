import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type ServiceProcess, startServiceProcess } from '#dev/demo/service-process.ts'
import { type Chronicle, createChronicle } from './chronicle.ts'

/** `ending`: got SIGTERM, and is not gone yet. `astray`: its clock is wrong; `setting`: it is being set. */
export type InstanceState = 'starting' | 'up' | 'frozen' | 'ending' | 'dead' | 'setting' | 'astray'

/** One instance of the service: a process, started again as an orchestrator does. */
export type Instance = {
  name: string
  url: string
  chronicle: Chronicle<InstanceState>
  /** Resolves when it is ready: an instance that ends by itself before is started again. */
  start(): Promise<void>
  /** Kill -9. */
  kill(): Promise<void>
  /** Freezes it in the middle of its work, like a machine that is moved or swaps. */
  freeze(): void
  thaw(): void
  /** Sets its clock so many seconds ahead; 0 sets it right. */
  setClock(ahead: number): Promise<void>
  /** SIGTERM, and waits for the end. */
  terminate(): Promise<void>
  /** Kills it if it runs. */
  end(): Promise<void>
  /** Ends that were not requested, and stops that did not end well. */
  problems: string[]
}

/** docs/interface.md, 'Limits': requests have 15 s to end, and handlers 30 s more; the connections need some more. */
const endSeconds = 50
/** The instance looks at its clock's file ten times a second. */
const settingMs = 1000
/** Nothing is taken away for this long here. */
const startSeconds = 60
/** The service's own defaults (workers.ts, main.ts). */
const production = { leaseSeconds: 30, lameDuckMs: 1000 }

export type InstanceOptions = {
  name: string
  port: number
  env: Record<string, string>
  logDir: string
  /** By default production's. */
  leaseSeconds?: number | undefined
}

export const createInstance = ({ name, port, env, logDir, leaseSeconds }: InstanceOptions): Instance => {
  const url = `http://127.0.0.1:${port}`
  const chronicle = createChronicle<InstanceState>('dead')
  const problems: string[] = []
  const like = leaseSeconds === undefined ? production : { ...production, leaseSeconds }
  // variables that the test's runner preloads into its children do not concern the service
  const clockFile = join(logDir, `${name}-clock`)
  const own = {
    ...env,
    SVC_LISTEN: `127.0.0.1:${port}`,
    NODE_OPTIONS: `--import=${new URL('./shifted-clock.ts', import.meta.url).href}`,
    LIFE_CLOCK_FILE: clockFile,
  }
  let running: ServiceProcess | undefined
  let starts = 0

  const launch = (): Promise<ServiceProcess> => {
    starts += 1
    return startServiceProcess({ url, env: own, logFile: join(logDir, `${name}-${starts}.log`), like })
  }

  /** Without a database it cannot start, and its exit status says so. */
  const launchUntil = async (until: number): Promise<ServiceProcess> => {
    for (;;) {
      try {
        return await launch()
      } catch (error) {
        if (performance.now() > until) throw error
        await wait(500)
      }
    }
  }

  const take = (): ServiceProcess => {
    if (!running) throw new Error(`instance ${name} does not run`)
    const taken = running
    running = undefined
    return taken
  }

  const kill = async (): Promise<void> => {
    chronicle.enter('dead')
    await take().kill()
  }

  return {
    ...{ name, url, chronicle, problems, kill },
    start: async () => {
      chronicle.enter('starting')
      const started = await launchUntil(performance.now() + startSeconds * 1000)
      running = started
      started.lost.catch((error: Error) => {
        chronicle.enter('dead')
        problems.push(`instance ${name}: ${error.message}`)
      })
      chronicle.enter('up')
    },
    end: async () => {
      if (running) await kill()
    },
    freeze: () => {
      chronicle.enter('frozen')
      if (running) process.kill(running.pid, 'SIGSTOP')
    },
    thaw: () => {
      if (running) process.kill(running.pid, 'SIGCONT')
      chronicle.enter('up')
    },
    setClock: async (ahead) => {
      chronicle.enter('setting')
      await writeFile(clockFile, String(ahead))
      await wait(settingMs)
      chronicle.enter(ahead === 0 ? 'up' : 'astray')
    },
    terminate: async () => {
      chronicle.enter('ending')
      const status = await take().stop(endSeconds)
      chronicle.enter('dead')
      if (status !== 0) problems.push(`instance ${name} did not end within ${endSeconds} s of SIGTERM, or not well`)
    },
  }
}
