import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { Sample } from '../harness/measure.ts'
import type { Request } from './load.ts'

const { address, connections, requests } = workerData as { address: string; connections: number; requests: Request[] }
const agent = new Agent({ keepAlive: true, maxSockets: connections })

const send = ({ path, headers = {}, body }: Request): Promise<void> =>
  new Promise((resolve, reject) => {
    const ofBody =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request(`${address}${path}`, { method, agent, headers: { ...ofBody, ...headers } }, (response) => {
      const { statusCode = 0 } = response
      if (statusCode >= 200 && statusCode < 300) {
        response.resume().on('end', resolve)
        return
      }
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => reject(new Error(`${method} ${path}: ${statusCode} ${text}`)))
    })
    sent.on('error', reject)
    sent.end(body)
  })

const took: number[] = []
let next = 0
const start = performance.now()
await Promise.all(
  Array.from({ length: connections }, async () => {
    for (let each = requests[next++]; each; each = requests[next++]) {
      const began = performance.now()
      await send(each)
      took.push(performance.now() - began)
    }
  }),
)
const all = performance.now() - start
took.sort((a, b) => a - b)
const within = (share: number): number => (took[Math.floor(took.length * share)] ?? 0) * 1000
const sample: Sample = { cost: (all * 1000) / requests.length, p50: within(0.5), p99: within(0.99) }
parentPort?.postMessage(sample)
agent.destroy()
