import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { GitAnswer, GitRequest, GitResult } from './git-host.ts'

type Waiting = { resolve(result: GitResult): void; reject(error: Error): void }

type Host = { child: ChildProcess; waiting: Map<number, Waiting> }

let host: Host | undefined
let count = 0

/** Has a separate process run git; it starts with the first request and ends with this process. */
export const askHost = (request: Omit<GitRequest, 'id'>): Promise<GitResult> =>
  new Promise((resolve, reject) => {
    host ??= startHost()
    const { child, waiting } = host
    const id = ++count
    waiting.set(id, { resolve, reject })
    // only an open request keeps this process alive
    child.channel?.ref()
    child.send({ id, ...request } satisfies GitRequest)
  })

const startHost = (): Host => {
  const program = fileURLToPath(new URL('git-host.ts', import.meta.url))
  // without this process's loaders and signals: Ctrl-C ends it through the end of the channel
  const child = fork(program, {
    serialization: 'advanced',
    execArgv: [],
    env: { PATH: process.env.PATH ?? '' },
    detached: true,
    stdio: 'ignore',
  })
  const waiting = new Map<number, Waiting>()
  child.on('message', ({ id, result, failure }: GitAnswer) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) child.channel?.unref()
    if (result) asked?.resolve(result)
    else asked?.reject(new Error(failure))
  })
  child.on('exit', (code, signal) => {
    host = undefined
    for (const { reject } of waiting.values()) reject(new Error(`the process that runs git ended: ${signal ?? code}`))
  })
  child.unref()
  child.channel?.unref()
  return { child, waiting }
}
