import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * Runs `work` while no other process of this user on this machine runs work under the same name. The lock is a listening
 * socket in Linux' abstract namespace: the kernel releases it when its holder dies, however it dies, so there is no lock
 * file to go stale after kill -9. A waiting process connects to the holder and tries again when that connection ends.
 */
export const exclusively = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  // An abstract name holds 107 bytes and a path may be longer, so it is hashed.
  const path = `\0svc-${process.getuid?.() ?? 0}-${createHash('sha256').update(name).digest('hex').slice(0, 32)}`
  const waiting = new Set<Socket>()
  const server = createServer((socket) => {
    waiting.add(socket.on('error', () => {}).on('close', () => waiting.delete(socket)))
  })
  while (!(await listening(server, path))) await holderGone(path)
  try {
    return await work()
  } finally {
    server.close()
    for (const socket of waiting) socket.destroy()
  }
}

const listening = async (server: Server, path: string): Promise<boolean> => {
  server.listen({ path })
  try {
    await once(server, 'listening')
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
}

const holderGone = (path: string): Promise<void> =>
  new Promise((resolve) => {
    // An error (refused, reset) means the same as a close: there is no holder any more.
    const socket = connect({ path })
    socket.on('error', () => {}).on('close', () => resolve())
    socket.resume()
  })
