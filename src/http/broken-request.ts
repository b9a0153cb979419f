import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { Problem } from '#errors.ts'
import { headersFor } from './headers.ts'
import { bodyOf } from './problem.ts'

/** Answers requests that are not HTTP, too large, or too slow to be read: nothing else sees them. */
export const answerBrokenRequests = (error: { code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const body = bodyOf(new Problem('invalid', faults[error.code ?? ''] ?? 'this is not a readable HTTP request'))
  const headers = Object.entries({
    ...headersFor(randomUUID(), false),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  })
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  if (socket.writable) socket.write(`HTTP/1.1 400 Bad Request\r\n${head}\r\n${body}`)
  socket.destroy()
}

const faults: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'the headers are larger than 16 KB',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request took too long to arrive',
}
