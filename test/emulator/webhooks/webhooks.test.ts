import { createHmac } from 'node:crypto'
import t from 'tap'
import { asApp, hubFor } from '../hub.ts'
import { type Received, receiverFor } from './receiver.ts'

/* How webhooks travel: signed, in order, once; failed ones are on record and can be redelivered. */

const named = ({ event, payload }: Received): string => [event, payload.action].filter(Boolean).join(' ')

const open = (hub: Awaited<ReturnType<typeof hubFor>>) =>
  hub.openPullRequest({ repo: 'acme/infra', branch: 'f', title: 'F', author: 'ann', changes: { 'ü.tf': 'a\n' } })

t.test('signed over the bytes sent, with GitHub’s headers', async (t) => {
  const hub = await hubFor(t, { app: { webhookSecret: 'sesame' } })
  const { url, received } = await receiverFor(t)
  hub.setWebhookUrl(url)
  hub.createInstallation({ account: 'acme', type: 'Organization' })
  await hub.createRepository({ owner: 'acme', name: 'infra' })
  await open(hub)
  await hub.deliveriesSettled()
  t.not(received.length, 0)
  for (const { headers, raw } of received) {
    const signature = `sha256=${createHmac('sha256', 'sesame').update(raw).digest('hex')}`
    t.equal(headers['x-hub-signature-256'], signature)
    t.equal(headers['content-type'], 'application/json')
    t.match(headers['user-agent'], /^GitHub-Hookshot\//)
    t.equal(headers['x-github-hook-installation-target-id'], String(hub.app.id))
  }
  const guids = received.map(({ headers }) => headers['x-github-delivery'])
  t.equal(new Set(guids).size, received.length, 'each with a GUID of its own')
})

t.test('the events of a pull request’s life, in their order', async (t) => {
  const hub = await hubFor(t)
  const { url, received } = await receiverFor(t)
  hub.setWebhookUrl(url)
  hub.createInstallation({ account: 'acme', type: 'Organization' })
  await hub.createRepository({ owner: 'acme', name: 'infra' })
  const pull = await open(hub)
  const first = pull.headSha()
  await pull.push({ 'ü.tf': 'b\n' })
  await pull.close()
  await pull.reopen()
  const merge = await pull.merge()
  await hub.deliveriesSettled()
  t.strictSame(received.map(named), [
    'ping',
    'installation created',
    'installation_repositories added',
    'push',
    'check_suite requested',
    'push',
    'check_suite requested',
    'pull_request opened',
    'push',
    'check_suite requested',
    'pull_request synchronize',
    'pull_request closed',
    'pull_request reopened',
    'pull_request closed',
    'push',
    'check_suite requested',
  ])
  const pulls = received.filter(({ event }) => event === 'pull_request').map(({ payload }) => payload)
  t.match(pulls[1], { before: first, after: pull.headSha(), pull_request: { head: { sha: pull.headSha() } } })
  t.match(pulls[2], { pull_request: { merged: false, merge_commit_sha: null } })
  t.match(pulls[4], { pull_request: { merged: true, merge_commit_sha: merge, mergeable: null } })
  const pushes = received.filter(({ event }) => event === 'push').map(({ payload }) => payload)
  t.match(pushes[1], { ref: 'refs/heads/f', created: true, after: first, commits: [{ added: ['ü.tf'] }] })
  t.match(pushes[2], { created: false, before: first, commits: [{ modified: ['ü.tf'] }] })
  t.match(pushes[3], { ref: 'refs/heads/main', after: merge, head_commit: { id: merge } })
})

t.test('only where the app is installed', async (t) => {
  const hub = await hubFor(t)
  const { url, received } = await receiverFor(t)
  hub.setWebhookUrl(url)
  const other = hub.createInstallation({ account: 'other', type: 'User' })
  await hub.createRepository({ owner: 'acme', name: 'infra' })
  await open(hub)
  other.suspend()
  await hub.createRepository({ owner: 'other', name: 'quiet' })
  await hub.deliveriesSettled()
  t.strictSame(received.map(named), [
    'ping',
    'installation created',
    'installation suspend',
    'installation_repositories added',
  ])
})

t.test('failures are recorded, not repeated, and delay nothing; redelivery keeps the GUID', async (t) => {
  const hub = await hubFor(t)
  let down = true
  const { url, received } = await receiverFor(t, ({ event }) => {
    if (event === 'installation' && down) return 500
    return event === 'installation_repositories' && down ? undefined : 202
  })
  hub.setWebhookUrl(url)
  hub.createInstallation({ account: 'acme', type: 'Organization' })
  await hub.createRepository({ owner: 'acme', name: 'infra' })
  await hub.deliveriesSettled()
  t.strictSame(
    received.map(({ event }) => event),
    ['ping', 'installation', 'installation_repositories', 'push', 'check_suite'],
  )

  const app = await asApp(hub)
  type Item = { id: number; guid: string; event: string; status: string; status_code: number; redelivery: boolean }
  const failures = async () => (await app('GET', '/app/hook/deliveries?status=failure')).body as Item[]
  t.match(await failures(), [
    { event: 'installation_repositories', status: 'failed to connect to host', status_code: 0, redelivery: false },
    { event: 'installation', status: 'Invalid HTTP Response: 500', status_code: 500 },
  ])
  down = false
  const [, failed] = await failures()
  await app('POST', `/app/hook/deliveries/${failed?.id}/attempts`)
  await hub.deliveriesSettled()
  const again = received.at(-1)
  t.equal(again?.headers['x-github-delivery'], failed?.guid)
  t.equal(again?.raw, received[1]?.raw, 'the same bytes')
  t.match((await app('GET', '/app/hook/deliveries')).body, [
    { guid: failed?.guid, redelivery: true, status: 'OK', status_code: 202 },
  ])
})

t.test('deliveries are listed newest first, by cursor', async (t) => {
  const hub = await hubFor(t)
  const { url } = await receiverFor(t)
  hub.setWebhookUrl(url)
  for (const account of ['a', 'b', 'c', 'd']) hub.createInstallation({ account, type: 'User' })
  await hub.deliveriesSettled()
  const app = await asApp(hub)
  const events: string[] = []
  let next: string | undefined = '/app/hook/deliveries?per_page=2'
  while (next) {
    const answer: Awaited<ReturnType<typeof app>> = await app('GET', next)
    events.push(...(answer.body as { event: string }[]).map(({ event }) => event))
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  t.strictSame(events, ['installation', 'installation', 'installation', 'installation', 'ping'])
  const [last] = hub.deliveries().slice(-1)
  t.match(await app('GET', `/app/hook/deliveries/${last?.id}`), {
    body: { request: { payload: { action: 'created', installation: { account: { login: 'd' } } } } },
  })
})

t.test('forgotten deliveries are gone, save those on their way', async (t) => {
  const hub = await hubFor(t)
  const { url } = await receiverFor(t)
  hub.setWebhookUrl(url)
  await hub.deliveriesSettled()
  hub.createInstallation({ account: 'acme', type: 'User' })
  hub.forgetDeliveries()
  t.match(hub.deliveries(), [{ event: 'installation', outcome: undefined }])
  await hub.deliveriesSettled()
  hub.forgetDeliveries()
  t.same(hub.deliveries(), [])
})
