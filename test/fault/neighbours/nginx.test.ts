import { createHmac, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import t from 'tap'
import { limits } from '#domain/limits.ts'
import { startInstance } from '#test/helpers/instance.ts'
import { playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { openPull, planning } from '#test/scenes/scene.ts'
import { addKey } from '#test/scenes/served.ts'
import { startNginx } from './nginx.ts'
import { isMissing } from './programs.ts'

const skip = isMissing('nginx')

t.test('behind nginx with the shipped example', { skip }, async (t) => {
  const world = await startWorld(t, { env: { SVC_TRUST_PROXY: '1' } })
  const url = await startNginx(t, world.service.url)
  const behind = { ...world, service: { ...world.service, url } }

  t.test('keys keep their %2F, and a graph and a plan text of the longest kind arrive', async (t) => {
    const pull = await openPull(world, {})
    const job = playJob(behind, pull)
    const { run_id: id } = (await job.open()).body
    const key = 'teams/network/service'
    const filler = 'x'.repeat(limits.graphBodyBytes - 10_000)
    const changed_paths = [`${key}/main.tf`, ...(filler.match(/.{1,4000}/g) ?? [])]
    const uploaded = await job.upload(id, { graph: { stacks: [{ key, path: key }] }, changed_paths })
    t.match(uploaded, { status: 200, body: { affected: [{ key }] } })
    t.match(await job.report(id, key, { plan_text: 'x'.repeat(limits.planTextBytes) }), { status: 200 })
    const authorization = `Bearer ${await addKey(String(world.env.DATABASE_URL), 'reader')}`
    const read = async (name: string): Promise<unknown> =>
      (await fetch(`${url}/v1/runs/${id}/stacks/${encodeURIComponent(name)}`, { headers: { authorization } })).json()
    t.match(await read(key), { key, status: 'planned' })
    t.match(await read('./'), { code: 'not_found', message: /stack/ }, 'the key of the root stays in the path, too')
  })

  t.test('a webhook of 25 MB is taken, a larger one refused', async (t) => {
    const send = (bytes: number): Promise<number> => {
      const start = '{"zen":"'
      const body = `${start}${'x'.repeat(bytes - start.length - 2)}"}`
      const signature = createHmac('sha256', world.github.app.webhookSecret).update(body).digest('hex')
      return fetch(`${url}/webhooks/codehost`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-github-event': 'ping',
          'x-github-delivery': randomUUID(),
          'x-hub-signature-256': `sha256=${signature}`,
        },
        body,
      }).then(({ status }) => status)
    }
    t.equal(await send(limits.webhookBodyBytes), 202)
    t.equal(await send(limits.webhookBodyBytes + 1), 413)
  })

  t.test('failed credentials count for the client at the proxy, whatever it says of itself', async (t) => {
    const attempt = (localAddress: string, forwarded: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: 'Bearer sk_gone', 'x-forwarded-for': forwarded }
        const asked = request(`${url}/v1/repos`, { localAddress, headers }, (response) => {
          let text = ''
          response.setEncoding('utf8').on('data', (data) => {
            text += data
          })
          response.on('end', () => resolve(JSON.parse(text).message))
        })
        asked.on('error', reject).end()
      })
    for (let tries = 0; tries < 20; tries += 1) t.match(await attempt('127.0.0.1', `192.0.2.${tries}`), /unknown/)
    t.match(await attempt('127.0.0.1', '192.0.2.99'), /failed too often/)
    t.match(await attempt('127.0.0.2', '192.0.2.1'), /unknown/, 'another client is not kept out')
  })

  t.test('a slow 503 arrives as it is, and takes no instance away from others', async (t) => {
    const other = await startInstance(t, world.env)
    const both = await startNginx(t, world.service.url, other.url)
    const { id } = await planning(world, ['a'])
    const authorization = `Bearer ${await addKey(String(world.env.DATABASE_URL), 'asking')}`
    const get = (path: string): Promise<Response> => fetch(`${both}${path}`, { headers: { authorization } })
    const hung = world.github.faults.add({ kind: 'request', path: /\/reviews$/, effect: { status: 502 } })
    for (let asked = 0; asked < 4; asked += 1) {
      t.match(await (await get(`/v1/runs/${id}/gate`)).json(), { code: 'unavailable', message: /github/ })
      for (let each = 0; each < 4; each += 1) t.equal((await get('/v1/repos')).status, 200)
    }
    hung.remove()
  })

  t.test('it waits for longer than clients do, and keeps no connection for longer than the service', async (t) => {
    const shipped = await readFile(new URL('../../../deploy/nginx/svc.conf', import.meta.url), 'utf8')
    const seconds = Number(/proxy_read_timeout (\d+)s;/.exec(shipped)?.[1])
    t.ok(seconds > limits.graphSeconds, `${seconds} s`)
    const response = await fetch(`${world.service.url}/healthz`)
    const kept = Number(/timeout=(\d+)/.exec(response.headers.get('keep-alive') ?? '')?.[1])
    // of nginx, unless its example says otherwise
    t.notMatch(shipped, /keepalive_timeout/)
    t.ok(kept > 60, `${kept} s`)
  })
})
