import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** Announces the shutdown: /readyz answers 503 and connections are closed after use, so a balancer goes elsewhere. */
    drain(): void
    isDraining(): boolean
  }
}

/**
 * Makes close() end in bounded time: requests in flight get `deadlineMs`, then their connections are cut. Without the header,
 * an idle connection stays open until its keep-alive runs out (72 s), and close() waits for it.
 */
export const drainOnClose = (app: FastifyInstance, deadlineMs: number): void => {
  let draining = false
  let deadline: NodeJS.Timeout | undefined
  app.decorate('drain', () => {
    draining = true
  })
  app.decorate('isDraining', () => draining)
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (draining) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('preClose', async () => {
    draining = true
    deadline = setTimeout(() => app.server.closeAllConnections(), deadlineMs)
  })
  app.addHook('onClose', async () => clearTimeout(deadline))
}
