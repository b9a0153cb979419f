import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from '#db/sql.ts'
import type { Runtime } from '#runtime/runtime.ts'
import type { ServiceProcess } from '#test/bench/memory/service-process.ts'
import type { Issuer } from '#test/bench/result/issuer.ts'
import { seedRun } from '#test/helpers/seed.ts'
import { send } from '../loop/send.ts'
import { holdBack } from './held-back.ts'

export type Crowd = { service: ServiceProcess; issuer: Issuer; pool: Pool; runtime: Runtime }

const mebibyte = 1024 * 1024

/** How many of each come at the same time, and what the limits say of their size. */
export const crowdOf = { webhooks: 60, results: 300, graphs: 24 } as const

/** An upload that is resolved: as many edges as 8 MB have room for. */
const graph = (() => {
  const stacks = 6000
  const key = (index: number): string => `stacks/service-${index}`
  const node = (index: number): object => ({ kind: 'stack', key: key(index) })
  const edge = (index: number): object => {
    const from = (index % (stacks - 1)) + 1
    return { from: node(from), to: node((index * 7) % from), type: 'depends_on' }
  }
  const body = {
    graph: {
      ...{ repo: 'acme/infra', sha: 'a'.repeat(40), tree_hash: 'tree', modules: [] },
      stacks: Array.from({ length: stacks }, (_, index) => ({ key: key(index), path: key(index) })),
      edges: Array.from({ length: 60_000 }, (_, index) => edge(index)),
    },
    changed_paths: [`${key(0)}/main.tf`],
    config: { version: 1, tool: 'terraform' },
  }
  return Buffer.from(JSON.stringify(body))
})()

/**
 * At the same time 60 unsigned webhooks of 24 MB and 300 results of 1 MB come but for their last byte, and 24 graphs of 7 MB are
 * uploaded, each again until it is taken. Returns the statuses of all answers.
 */
export const crowd = async ({ service, issuer, pool, runtime }: Crowd): Promise<Record<string, number>> => {
  const { address } = service
  const webhook = Buffer.alloc(24 * mebibyte, ' ')
  const forged = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}`, 'x-github-event': 'push' }
  const result = Buffer.alloc(mebibyte, ' ').fill('{"mode":"plan","status":"success"', 0, 33)
  result.write('}', mebibyte - 1)
  const runIds: string[] = []
  while (runIds.length < crowdOf.graphs) runIds.push((await seedRun(pool, runtime, { waves: [['a']] })).runId)
  const authorization = async (): Promise<string> => `Bearer ${await issuer.mint()}`
  const held = [
    ...Array.from({ length: crowdOf.webhooks }, () =>
      holdBack(address, { method: 'POST', path: '/webhooks/codehost', headers: forged }, webhook),
    ),
    ...(await Promise.all(
      Array.from({ length: crowdOf.results }, async () => {
        const path = `/v1/runs/${randomUUID()}/stacks/a/result`
        return holdBack(address, { method: 'POST', path, headers: { authorization: await authorization() } }, result)
      }),
    )),
  ]
  const statuses: Record<string, number> = {}
  const note = (what: string): void => {
    statuses[what] = (statuses[what] ?? 0) + 1
  }
  const upload = async (runId: string): Promise<void> => {
    for (;;) {
      const headers = { 'content-type': 'application/json', authorization: await authorization() }
      const status = await send(address, { method: 'POST', path: `/v1/runs/${runId}/graph`, headers, body: graph })
      note(`graph ${status}`)
      if (status !== 503 && status !== undefined) return
      await wait(3000)
    }
  }
  await Promise.all(runIds.map(upload))
  for (const one of held) one.finish()
  const until = performance.now() + 30_000
  while (held.some(({ received }) => received() === '') && performance.now() < until) await wait(50)
  for (const [index, one] of held.entries()) {
    note(`${index < crowdOf.webhooks ? 'webhook' : 'result'} ${one.received().slice(9, 12) || 'none'}`)
    one.close()
  }
  return statuses
}
