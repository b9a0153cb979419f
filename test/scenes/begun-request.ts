import { connect, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A request whose body is held back; `received` is what came back so far. */
export type BegunRequest = { socket: Socket; received(): string }

/** A POST of a body of so many bytes, of which the head alone is sent. */
export const beginRequest = (
  t: Test,
  address: string,
  path: string,
  headers: Record<string, string> & { 'content-length': string },
): BegunRequest => {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  t.teardown(() => socket.destroy())
  let received = ''
  socket.on('data', (data) => {
    received += data
  })
  // the service closes what it refused
  socket.on('error', () => {})
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${[`POST ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
  return { socket, received: () => received }
}

/** Sends what is given of the body, and waits until it is out. */
export const sendPart = (begun: BegunRequest, part: Uint8Array): Promise<void> =>
  new Promise((resolve) => begun.socket.write(part, () => resolve()))
