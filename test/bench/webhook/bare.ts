import { createHmac, timingSafeEqual } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { Pool } from 'pg'

/**
 * The least that any receiver must do: compare the bytes' signature in constant time, and store the delivery, once, before
 * the answer. No other check, hook, header, metric or log.
 */
export const bareServer = async (url: string, secret: string, connections: number): Promise<FastifyInstance> => {
  const pool = new Pool({ connectionString: url, max: connections })
  pool.on('error', () => {})
  await pool.query(`create table bare_deliveries (
    id text primary key, event text not null, payload jsonb not null, received_at timestamptz not null default now())`)
  const app = Fastify({ bodyLimit: 26_214_400 })
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post('/webhooks/codehost', async ({ headers, body }, reply) => {
    const digest = createHmac('sha256', secret)
      .update(body as Buffer)
      .digest()
    const given = Buffer.from(String(headers['x-hub-signature-256']).slice('sha256='.length), 'hex')
    if (given.length !== digest.length || !timingSafeEqual(digest, given)) return reply.code(401).send()
    await pool.query({
      name: 'add',
      text: 'insert into bare_deliveries (id, event, payload) values ($1, $2, $3::jsonb) on conflict do nothing',
      values: [headers['x-github-delivery'], headers['x-github-event'], (body as Buffer).toString()],
    })
    return reply.code(202).send()
  })
  app.addHook('onClose', () => pool.end())
  return app
}
