import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { Request } from './load.ts'

const { address, connections, requests } = workerData as { address: string; connections: number; requests: Request[] }
const agent = new Agent({ keepAlive: true, maxSockets: connections })

const send = ({ path, token, body }: Request): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    const sent = request(`${address}${path}`, { method: 'POST', agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode} ${text}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })

let next = 0
const start = process.hrtime.bigint()
await Promise.all(
  Array.from({ length: connections }, async () => {
    for (let each = requests[next++]; each; each = requests[next++]) await send(each)
  }),
)
parentPort?.postMessage(Number(process.hrtime.bigint() - start) / 1000)
agent.destroy()
