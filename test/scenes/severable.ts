import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/**
 * An address that leads to a database until the line is cut: then connections break and new ones are refused. `freeze` keeps
 * connections open, but nothing passes any more, on new ones neither.
 */
export const severable = async (t: Test, databaseUrl: string) => {
  const url = new URL(databaseUrl)
  const target = { host: url.hostname, port: Number(url.port) }
  const sockets = new Set<Socket>()
  let frozen = false
  const server = createServer((near) => {
    const far = connect(target)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    if (!frozen) near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sever = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const freeze = (): void => {
    frozen = true
    for (const socket of sockets) socket.unpipe().pause()
  }
  t.teardown(() => (server.listening ? sever() : undefined))
  url.port = String((server.address() as AddressInfo).port)
  return { url: url.href, sever, freeze }
}
