import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { Pool } from 'pg'
import { audience, issuerName } from '../result/issuer.ts'
import { isSigned, openDeliveriesFloor } from './deliveries.ts'
import { openResultsFloor } from './results.ts'

/*
 * A process with bare fastify routes for the same requests, over its own database: the least that any service must do, batched
 * as ours batches. No check of bodies, hook, metric, log or permission.
 */

const url = process.env.DATABASE_URL ?? ''
const app = Fastify({ bodyLimit: 26_214_400 })
const keys = createRemoteJWKSet(new URL(process.env.CODEHOST_OIDC_JWKS_URL ?? ''))

const results = await openResultsFloor(url)
app.post<{ Params: { run: string; key: string } }>('/v1/runs/:run/stacks/:key/result', async ({ params, headers }) => {
  const token = String(headers.authorization).slice('Bearer '.length)
  const { payload } = await jwtVerify(token, keys, { issuer: issuerName, audience, algorithms: ['RS256'] })
  const hash = createHash('sha256').update(String(payload.jti)).digest('base64url').slice(0, 22)
  return results.report({ runId: params.run, key: params.key, token: hash })
})

const deliveries = await openDeliveriesFloor(url)
app.register(async (scope) => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.post('/webhooks/codehost', async ({ headers, body }, reply) => {
    const secret = process.env.CODEHOST_WEBHOOK_SECRET ?? ''
    if (!isSigned(secret, body as Buffer, headers['x-hub-signature-256'])) return reply.code(401).send()
    const [id, event] = [headers['x-github-delivery'], headers['x-github-event']]
    await deliveries.put({ id, event, payload: (body as Buffer).toString() })
    return reply.code(202).send()
  })
})

const pool = new Pool({ connectionString: url, max: 10 })
app.get<{ Params: { run: string } }>('/v1/runs/:run', async ({ params: { run } }) => {
  const [ofRun, stacks] = await Promise.all([
    pool.query({ name: 'run', text: 'select * from runs where id = $1', values: [run] }),
    pool.query({
      name: 'stacks',
      text: `select s.key, coalesce(s.path, s.key) as path, s.environment, s.wave, s.status, s.reasons, s.via, s.plan_output, s.blocked_by, s.started_at,
        s.finished_at, r.body as result, r.plan_text, l.run_id as locked_by
        from run_stacks s left join results r on r.run_id = s.run_id and r.stack_id = s.stack_id
        left join locks l on l.stack_id = s.stack_id
        where s.run_id = $1 order by s.wave, s.key`,
      values: [run],
    }),
  ])
  return { ...ofRun.rows[0], stacks: stacks.rows }
})

await app.listen({ port: 0, host: '127.0.0.1' })
console.log(JSON.stringify({ msg: 'listening', port: (app.server.address() as AddressInfo).port }))

process.on('SIGTERM', () => process.exit(0))
