import { Agent, request } from 'node:http'

type Sent = { method: string; path: string; headers: Record<string, string>; body?: Buffer | undefined }

const agent = new Agent({ keepAlive: true })

/** The status of the answer, whose body is read and thrown away; undefined if the service ended the connection before. */
export const send = (address: string, { method, path, headers, body }: Sent): Promise<number | undefined> =>
  new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': body.length }
    const sent = request(`${address}${path}`, { method, agent, headers: { ...headers, ...length } }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode))
    })
    sent.on('error', () => resolve(undefined))
    sent.end(body)
  })
