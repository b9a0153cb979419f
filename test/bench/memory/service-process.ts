import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** Bytes. */
export type Memory = { rss: number; heapUsed: number }

export type ServiceProcess = {
  /** The API's address. */
  address: string
  /**
   * Its own current memory by the system's account, without asking the process. Without Node's program, of which a system has 40 to 60 MB in
   * memory as it likes, shared and given back when something else needs the room.
   */
  own(): number
  /** The most that it ever was. */
  peak(): number
  /** After a forced garbage collection; only for a process started with `tellsMemory`. */
  afterCollection(): Promise<Memory>
  /** What the module that was loaded first says at SIGUSR2: a line of JSON with this field. */
  told(field: string): Promise<unknown>
  stop(): Promise<void>
}

/**
 * As the image and `npm start` start it: without the first flag the young generation may take 67 MB, of which an idle one uses two.
 * The second is what Node chooses by itself in a container of 512 MiB; with the memory of this machine it would collect later.
 */
const flags = ['--max-semi-space-size=8', '--max-old-space-size=256']
const variables = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
}

// not a file of ours: loading one would load the type stripper, which is part of what is measured
const tells = `data:text/javascript,process.on('SIGUSR2',()=>{gc();console.log(JSON.stringify({memory:process.memoryUsage()}))})`

type Options = {
  program: string
  env: NodeJS.ProcessEnv
  tellsMemory?: boolean
  /** Address of a module to load first. */
  preload?: string
}

/** Starts the service in its own process, and resolves when it listens. */
export const startServiceProcess = async ({ program, env, tellsMemory, preload }: Options): Promise<ServiceProcess> => {
  const loaded = preload === undefined ? [] : ['--import', preload]
  const added = tellsMemory ? ['--expose-gc', '--import', tells] : loaded
  const child = spawn(process.execPath, [...flags, ...added, program], {
    env: { ...env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null
  const lines = createInterface({ input: child.stdout })
  const heard = <T>(read: (line: Record<string, unknown>) => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const end = (): void => reject(new Error(`the service ended with ${child.exitCode ?? child.signalCode}`))
      // one that has ended says nothing any more
      if (isOver()) return end()
      const hear = (text: string): void => {
        const found = read(JSON.parse(text) as Record<string, unknown>)
        if (found === undefined) return
        lines.off('line', hear)
        child.off('exit', end)
        resolve(found)
      }
      lines.on('line', hear)
      child.once('exit', end)
    })
  const told = (field: string): Promise<unknown> => {
    const answer = heard((line) => line[field])
    child.kill('SIGUSR2')
    return answer
  }
  const port = await heard(({ msg, port }) => (msg === 'listening' ? port : undefined))
  return {
    address: `http://127.0.0.1:${port}`,
    own: () => memoryOf(child, 'RssAnon'),
    peak: () => memoryOf(child, 'VmHWM'),
    afterCollection: async () => (await told('memory')) as Memory,
    told,
    stop: async () => {
      if (isOver()) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

const memoryOf = ({ pid }: ChildProcess, line: 'RssAnon' | 'VmHWM'): number =>
  Number(new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
