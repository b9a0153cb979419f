import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the service answers, and walks look into it
export type Answer = { status: number; body: any }

/** `isRepeated`: an earlier try got no answer, and may have been carried out. */
export type LastAnswer = Answer & { isRepeated: boolean }

export type Request = { method: string; path: string; headers: () => Promise<Record<string, string>>; body?: string }

export type Asking = { ask(request: Request, from: number): Promise<LastAnswer>; close(): void }

/** After so many tries without a good answer something is wrong: a killed instance is back within seconds, on a busy machine too. */
const tries = 300

/**
 * Sends requests to instances as a client does: where one does not answer, or answers 503, the next is asked, with a fresh token.
 */
export const createAsking = (urls: readonly string[]): Asking => {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const once = async (url: string, { method, path, headers, body }: Request): Promise<Answer | undefined> => {
    const all = await headers()
    return new Promise((resolve) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
      const sent = request(`${url}${path}`, { method, agent, headers: { ...all, ...length } }, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece) => pieces.push(piece))
        response.on('error', () => resolve(undefined))
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString()
          resolve({ status: response.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) })
        })
      })
      sent.on('error', () => resolve(undefined))
      sent.setTimeout(20_000, () => sent.destroy())
      sent.end(body)
    })
  }
  return {
    ask: async (asked, from) => {
      let isRepeated = false
      let last: Answer | undefined
      for (let attempt = 0; attempt < tries; attempt += 1) {
        const answer = await once(urls[(from + attempt) % urls.length] ?? '', asked)
        if (answer && answer.status !== 503) return { ...answer, isRepeated }
        isRepeated ||= answer === undefined
        last = answer ?? last
        if (attempt >= urls.length - 1) await wait(100)
      }
      throw new Error(`${asked.method} ${asked.path} has no answer after ${tries} tries: ${JSON.stringify(last)}`)
    },
    close: () => agent.destroy(),
  }
}
