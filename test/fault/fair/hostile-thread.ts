import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'

/** An upload that is sent again and again: to the instances in turn, each time with another number at `at`, so that none is a repetition. */
export type HostileUpload = { path: string; body: Uint8Array; at: number }

export type HostileWork = { instances: readonly string[]; uploads: readonly HostileUpload[] }

/** Asks for a token of the upload's job, or says how an upload was answered. */
export type HostileNews = { upload: number; status?: number }

const port = parentPort
if (!port) throw new Error('this is not a thread')
const { instances, uploads } = workerData as HostileWork
const agent = new Agent({ keepAlive: true })
// on a machine of its own it would take no processor time from the service
setPriority(19)

const tokens = new Map<number, (token: string) => void>()
port.on('message', ({ upload, token }: { upload: number; token: string }) => tokens.get(upload)?.(token))

const tokenFor = (upload: number): Promise<string> =>
  new Promise((resolve) => {
    tokens.set(upload, resolve)
    port.postMessage({ upload } satisfies HostileNews)
  })

let sent = 0

const send = async (upload: number, { path, body, at }: HostileUpload): Promise<number> => {
  sent += 1
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  bytes.write(String(sent).padStart(8, '0'), at)
  const headers = {
    authorization: `Bearer ${await tokenFor(upload)}`,
    ...{ 'content-type': 'application/json', 'content-length': bytes.length },
  }
  const out = request(`${instances[sent % instances.length]}${path}`, { method: 'POST', agent, headers })
  // also after an answer: who is refused before the body's end may find the connection closed
  out.on('error', () => {})
  const isSent = new Promise((resolve) => out.once('finish', resolve).once('close', resolve))
  out.end(bytes)
  const [response] = await once(out, 'response')
  response.resume()
  await Promise.all([once(response, 'end'), isSent])
  return response.statusCode
}

const sendOn = async (upload: number, one: HostileUpload): Promise<void> => {
  for (;;) {
    // 0 is a connection that ended without an answer
    const status = await send(upload, one).catch(() => 0)
    port.postMessage({ upload, status } satisfies HostileNews)
  }
}

for (const [upload, one] of uploads.entries()) void sendOn(upload, one)
