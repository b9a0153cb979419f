import { createHmac } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Bench, Measurement } from './harness/measure.ts'
import { benchDatabase } from './machine/database.ts'
import { bareServer } from './webhook/bare.ts'
import { deliver, type Loaded } from './webhook/load.ts'
import { pullRequestPayload } from './webhook/payload.ts'
import { openService } from './webhook/service.ts'

/*
 * Deliveries of a pull request, each with its own id, from a separate thread: the service's own route, with everything
 * around it, against a bare fastify route that verifies the same signature and inserts one row. Both answer after the
 * commit. In `workers at work` the service handles the deliveries at the same time, as in production; nothing handles the
 * bare ones.
 */

const secret = 'hush'
const databaseConnections = 10

type Sides = Record<string, string>
let sides: Sides = {}
let closers: (() => Promise<unknown>)[] = []

const listen = async (app: FastifyInstance): Promise<string> => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  closers.unshift(() => app.close())
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

const open = async (working: boolean): Promise<void> => {
  const database = await benchDatabase('webhook')
  closers = [() => database.stop()]
  const service = await openService(database.url, { secret, connections: databaseConnections, working })
  closers.unshift(service.stop)
  sides = {
    service: await listen(service.app),
    'bare fastify and pg': await listen(await bareServer(database.url, secret, databaseConnections)),
  }
}

const close = async (): Promise<void> => {
  for (const closer of closers) await closer()
}

type Load = { bytes: number; connections: number; deliveries: number; working?: boolean }

const measured = (load: Load, figure: keyof Loaded = 'each'): Measurement => {
  const { bytes, connections, deliveries, working = false } = load
  const body = pullRequestPayload(bytes)
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const cost = async (name: string): Promise<number> => {
    const loaded = await deliver({ address: sides[name] ?? '', connections, deliveries, body, signature })
    return loaded[figure]
  }
  return {
    setup: () => open(working),
    ours: 'service',
    contenders: { service: () => cost('service'), 'bare fastify and pg': () => cost('bare fastify and pg') },
    teardown: close,
  }
}

const small = { bytes: 10_000, deliveries: 2000 }
const large = { bytes: 100_000, deliveries: 300 }

const bench: Bench = {
  name: 'webhook',
  unit: 'µs/delivery',
  groups: {
    '10 KB, 8 connections': measured({ ...small, connections: 8 }),
    '10 KB, 64 connections': measured({ ...small, connections: 64 }),
    '100 KB, 8 connections': measured({ ...large, connections: 8 }),
    '100 KB, 64 connections': measured({ ...large, connections: 64 }),
    '10 KB, 8 connections, 99 %': measured({ ...small, connections: 8 }, 'p99'),
    '10 KB, 64 connections, 99 %': measured({ ...small, connections: 64 }, 'p99'),
    '10 KB, 8 connections, workers at work': measured({ ...small, connections: 8, working: true }),
  },
}

export default bench
