import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { Load, Loaded } from './load.ts'

const { address, connections, deliveries, body, signature } = workerData as Load
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const bytes = Buffer.from(body)

const send = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': bytes.length,
      'user-agent': 'GitHub-Hookshot/0',
      'x-github-event': 'pull_request',
      'x-github-delivery': randomUUID(),
      'x-hub-signature-256': signature,
    }
    const sent = request(`${address}/webhooks/codehost`, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => (response.statusCode === 202 ? resolve() : reject(new Error(`${response.statusCode}`))))
    })
    sent.on('error', reject)
    sent.end(bytes)
  })

const took: number[] = []
let left = deliveries
const start = process.hrtime.bigint()
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (left-- > 0) {
      const began = performance.now()
      await send()
      took.push(performance.now() - began)
    }
  }),
)
const each = Number(process.hrtime.bigint() - start) / 1000 / deliveries
took.sort((a, b) => a - b)
parentPort?.postMessage({ each, p99: (took[Math.floor(took.length * 0.99)] ?? 0) * 1000 } satisfies Loaded)
agent.destroy()
