import { writeSync } from 'node:fs'
import { ServerResponse } from 'node:http'
import { flushCompileCache } from 'node:module'
import { Client } from 'pg'
import { readConfig } from '#config.ts'
import { createLog } from '#log.ts'
import { startService } from '#service.ts'

/*
 * The service in its own process, which ends itself with SIGKILL at the given step. Steps are counted before and after each
 * statement and each request to the code host, while a request or a COMMIT is being sent, and before an answer. It loads
 * everything, reports that it is warm, and starts on command: a killed one is replaced at once.
 */

/** `dieAt` is counted from the order on. */
export type Order =
  | { kind: 'start'; env: Record<string, string>; leaseSeconds: number; dieAt: number | undefined }
  | { kind: 'die'; dieAt: number }
  | { kind: 'count' }

/** `told`: the order to die arrived; `steps` are counted from the start of the process. */
export type News = { kind: 'warm' | 'listening' | 'told' | 'counted'; steps: number }

/** Milliseconds after which data sent to another process on this machine has arrived there. */
const arrival = 4

let steps = 0
let dieAt: number | undefined

const die = (step: string): void => {
  // synchronously: nothing that is queued may still be sent
  writeSync(1, `${step}\n`)
  process.kill(process.pid, 'SIGKILL')
  // the signal may take a moment, and not one line of the service may run in it
  for (;;);
}

const passes = (step: string): void => {
  steps += 1
  if (steps === dieAt) die(step)
}

const isUnderWay = (step: string): void => {
  steps += 1
  if (steps === dieAt) setTimeout(() => die(step), arrival)
}

const countCommits = (): void => {
  const query = Client.prototype.query as (...args: unknown[]) => unknown
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    if (args[0] !== 'COMMIT') return query.apply(this, args)
    passes('before COMMIT')
    const answer = query.apply(this, args)
    isUnderWay('during COMMIT')
    return answer
  } as typeof Client.prototype.query
}

const countAnswers = (): void => {
  const end = ServerResponse.prototype.end as (...args: unknown[]) => ServerResponse
  ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
    passes('before an answer')
    return end.apply(this, args)
  } as typeof ServerResponse.prototype.end
}

const countedFetch: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input)
  const request = `${init?.method ?? 'GET'} ${url.pathname}`
  passes(`before ${request}`)
  const answer = fetch(input, init)
  isUnderWay(`during ${request}`)
  const response = await answer
  passes(`after ${request}`)
  return response
}

const start = async ({ env, leaseSeconds }: Order & { kind: 'start' }): Promise<void> => {
  countCommits()
  countAnswers()
  const read = readConfig(env)
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  await startService(read.config, {
    paced: false,
    publishEveryMs: 100,
    leaseSeconds,
    log: createLog({ level: 'silent', format: 'json' }),
    fetch: countedFetch,
    seam: (step) => passes(step.replaceAll(/\s+/g, ' ').slice(0, 80)),
  })
  tell('listening')
}

const tell = (kind: News['kind']): void => void process.send?.({ kind, steps } satisfies News)

process.on('disconnect', () => process.exit())
process.on('message', (order: Order) => {
  if (order.kind === 'count') return tell('counted')
  dieAt = order.dieAt === undefined ? undefined : steps + order.dieAt
  if (order.kind === 'start') void start(order)
  else tell('told')
})
// a killed process does not write its cache at the end
flushCompileCache()
tell('warm')
