import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/**
 * Sends a text, bytes or a stream past the schema of the route: of an answer that is made in portions, or is text already. The type of
 * a route's reply takes nothing but what the schema describes.
 */
export const sendAsIs = (reply: FastifyReply, body: string | Uint8Array | Readable): FastifyReply => reply.send(body)
