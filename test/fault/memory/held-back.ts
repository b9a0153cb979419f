import { connect, type Socket } from 'node:net'

/** A request whose last byte is missing. */
export type HeldBack = {
  /** All that came back so far. */
  received(): string
  /** Sends the rest. */
  finish(): void
  close(): void
}

type Head = { method: string; path: string; headers: Record<string, string> }

/** Sends a request but for its last byte, as fast as the service takes it; one that was refused may end in the middle. */
export const holdBack = (address: string, { method, path, headers }: Head, body: Buffer): HeldBack => {
  const { port, hostname } = new URL(address)
  const socket: Socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (data) => {
    received += data
  })
  socket.on('error', () => {})
  const named = { host: 'x', 'content-type': 'application/json', 'content-length': body.length, ...headers }
  const lines = Object.entries(named).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  socket.write(body.subarray(0, -1))
  return {
    received: () => received,
    finish: () => void socket.write(body.subarray(-1)),
    close: () => socket.destroy(),
  }
}
