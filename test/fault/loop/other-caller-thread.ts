import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { Asked } from './other-caller.ts'

const { address, asked } = workerData as { address: string; asked: readonly Asked[] }
const agent = new Agent({ keepAlive: true })

/** Whatever is still under way: what waits for long is seen by its own time, and not by requests that were never sent. */
const everyMs = 20

let times: number[] = []
let refused: string[] = []

const send = (asked: Asked, begun = performance.now(), isAgain = false): void => {
  const { method, path, headers, body } = asked
  const sent = request(`${address}${path}`, { method, agent, headers }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
    })
    response.on('end', () => {
      times.push(performance.now() - begun)
      if (response.statusCode !== 200) refused.push(`${method} ${path} is ${response.statusCode}: ${text}`)
    })
  })
  sent.on('error', (error: NodeJS.ErrnoException) => {
    // the service ends what was idle for 72 s, and may do so just as it is used again (Node.js, 'request.reusedSocket')
    if (sent.reusedSocket && error.code === 'ECONNRESET' && !isAgain) send(asked, begun, true)
    else refused.push(`${method} ${path}: ${error.message}`)
  })
  sent.end(body)
}

let next = 0
setInterval(() => {
  const one = asked[next % asked.length]
  next += 1
  if (one) send(one)
}, everyMs)

parentPort?.on('message', () => {
  parentPort?.postMessage({ times, refused })
  times = []
  refused = []
})
