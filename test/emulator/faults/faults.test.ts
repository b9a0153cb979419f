import t from 'tap'
import type { RequestFault, WebhookFault } from '#emulator/faults/fault.ts'
import { receiverFor } from '#test/emulator/webhooks/receiver.ts'
import { asApp, asInstallation, hubFor } from '../hub.ts'

/* What can be made to go wrong, and that it goes wrong in just that way. */

const file = '.github/workflows/svc-run.yml'
const dispatches = '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches'

const prepare = async (t: Parameters<typeof hubFor>[0]) => {
  const hub = await hubFor(t)
  const { url, received } = await receiverFor(t)
  const { id } = hub.createInstallation({ account: 'acme', type: 'Organization' })
  const text = 'on: { workflow_dispatch: { inputs: { run_id: } } }\njobs: {}\n'
  const repository = await hub.createRepository({
    owner: 'acme',
    name: 'infra',
    files: { [file]: text, 'a.tf': 'a\n' },
  })
  const pull = await hub.openPullRequest({
    ...{ repo: 'acme/infra', branch: 'change', title: 'Change', author: 'ann' },
    changes: { 'a.tf': 'b\n' },
  })
  await hub.deliveriesSettled()
  hub.setWebhookUrl(url)
  const app = await asInstallation(hub, id)
  const dispatch = (run_id = 'r1') =>
    app('POST', '/repos/acme/infra/actions/workflows/svc-run.yml/dispatches', { ref: 'main', inputs: { run_id } })
  const bodies = async () => {
    await hub.deliveriesSettled()
    return received
      .splice(0)
      .filter(({ event }) => event === 'issue_comment')
      .map(({ payload, headers }) => ({
        body: (payload.comment as { body: string }).body,
        guid: headers['x-github-delivery'],
      }))
  }
  return { hub, repository, pull, app, dispatch, bodies }
}

t.test('webhooks are lost, doubled, delayed and overtaken', async (t) => {
  const cases: [effect: WebhookFault['effect'], arrive: string[]][] = [
    ['lose', ['second', 'third']],
    ['vanish', ['second', 'third']],
    ['double', ['first', 'first', 'second', 'third']],
    [{ behind: 1 }, ['second', 'first', 'third']],
    [{ behind: 9 }, ['second', 'third', 'first']],
    [{ delayMs: 500 }, ['second', 'third', 'first']],
  ]
  for (const [effect, arrive] of cases) {
    const { hub, pull, bodies } = await prepare(t)
    await bodies()
    const fault = hub.faults.add({ kind: 'webhook', event: 'issue_comment', action: 'created', effect, times: 1 })
    for (const text of ['first', 'second', 'third']) pull.comment(text)
    const name = JSON.stringify(effect)
    const came = await bodies()
    t.strictSame(
      came.map(({ body }) => body),
      arrive,
      name,
    )
    t.equal(fault.struck(), 1, name)
    if (effect === 'double') t.equal(came[0]?.guid, came[1]?.guid, 'under one GUID')
  }
})

t.test('a lost webhook is on record and can be redelivered; a vanished one is not', async (t) => {
  const { hub, pull, bodies } = await prepare(t)
  await bodies()
  hub.faults.add({ kind: 'webhook', event: 'issue_comment', effect: 'lose', times: 1 })
  hub.faults.add({ kind: 'webhook', event: 'issue_comment', effect: 'vanish', times: 1 })
  pull.comment('lost')
  pull.comment('vanished')
  t.strictSame(await bodies(), [])
  const app = await asApp(hub)
  const { body } = await app('GET', '/app/hook/deliveries?status=failure')
  const [lost, ...more] = body as { id: number; guid: string; event: string; status_code: number }[]
  t.match(lost, { event: 'issue_comment', status_code: 0 })
  t.strictSame(more, [])
  t.equal((await app('POST', `/app/hook/deliveries/${lost?.id}/attempts`)).status, 202)
  t.strictSame(await bodies(), [{ body: 'lost', guid: lost?.guid }])
  t.match((await app('GET', '/app/hook/deliveries')).body, [{ guid: lost?.guid, redelivery: true, status_code: 202 }])
})

t.test('a fault strikes what it matches, so often, until it is removed', async (t) => {
  const { hub, pull, app, dispatch, bodies } = await prepare(t)
  await bodies()
  const where = (payload: Record<string, unknown>) => (payload.comment as { body: string }).body.startsWith('svc')
  const some = hub.faults.add({ kind: 'webhook', effect: 'vanish', where })
  for (const text of ['svc plan', 'hello', 'svc apply']) pull.comment(text)
  t.match(await bodies(), [{ body: 'hello' }])
  t.equal(some.struck(), 2)
  some.remove()
  pull.comment('svc help')
  t.match(await bodies(), [{ body: 'svc help' }])

  const effect = { status: 502 }
  const refused = hub.faults.add({ kind: 'request', method: 'post', path: dispatches, effect, times: 2 })
  const struck = refused.hasStruck(2)
  t.equal((await app('GET', '/repos/acme/infra')).status, 200)
  t.strictSame(
    [await dispatch(), await dispatch(), await dispatch()].map(({ status }) => status),
    [502, 502, 204],
  )
  await struck
  const isSecond = (body: unknown) => JSON.stringify(body).includes('r2')
  hub.faults.add({ kind: 'request', path: /dispatches$/, where: isSecond, effect })
  t.strictSame([(await dispatch()).status, (await dispatch('r2')).status], [204, 502])
})

t.test('requests that fail, before or after they were carried out', async (t) => {
  const cases: [effect: RequestFault['effect'], carriedOut: boolean][] = [
    ['drop-before', false],
    ['drop-after', true],
    ['hang-before', false],
    ['hang-after', true],
  ]
  for (const [effect, carriedOut] of cases) {
    const { hub, repository, dispatch } = await prepare(t)
    const fault = hub.faults.add({ kind: 'request', path: dispatches, effect, times: 1 })
    const failed = t.rejects(dispatch(), TypeError, `${effect}: no answer`)
    await fault.hasStruck()
    fault.remove()
    await failed
    t.equal(repository.workflowRuns().length, carriedOut ? 1 : 0, String(effect))
    t.equal((await dispatch()).status, 204, 'and the next one works')
  }
})

t.test('an answer cut off in the middle', async (t) => {
  const { hub, app } = await prepare(t)
  hub.faults.add({ kind: 'request', path: '/repos/{owner}/{repo}', effect: 'truncate', times: 1 })
  await t.rejects(app('GET', '/repos/acme/infra'), TypeError)
  t.match((await app('GET', '/repos/acme/infra')).body, { name: 'infra' })
})

t.test('a slow answer is an answer', async (t) => {
  const { hub, app } = await prepare(t)
  hub.faults.add({ kind: 'request', path: '/repos/acme/infra', effect: { slowMs: 40 }, times: 1 })
  const started = performance.now()
  t.equal((await app('GET', '/repos/acme/infra')).status, 200)
  t.ok(performance.now() - started >= 39)
})

t.test('rate limits, the primary and the secondary', async (t) => {
  const { hub, app } = await prepare(t)
  const primary = hub.faults.add({ kind: 'request', effect: { rateLimit: { resetInSeconds: 60, status: 429 } } })
  const limited = await app('GET', '/repos/acme/infra')
  t.equal(limited.status, 429)
  t.equal(limited.headers.get('x-ratelimit-remaining'), '0')
  const reset = Number(limited.headers.get('x-ratelimit-reset')) - Date.now() / 1000
  t.ok(reset > 55 && reset <= 61, 'reset is an epoch second')
  primary.remove()
  hub.faults.add({ kind: 'request', effect: { secondaryRateLimit: { retryAfterSeconds: 7 } }, times: 1 })
  const paced = await app('GET', '/repos/acme/infra')
  t.match(paced, { status: 403, body: { message: /secondary rate limit/ } })
  t.equal(paced.headers.get('retry-after'), '7')
  t.equal((await app('GET', '/repos/acme/infra')).status, 200)
})

t.test('the code host is down for everything until it is up again', async (t) => {
  const { hub, app } = await prepare(t)
  const slow = hub.faults.add({ kind: 'request', effect: 'hang-before', times: 1 })
  const open = t.rejects(app('GET', '/repos/acme/infra'), TypeError, 'open connections end')
  await slow.hasStruck()
  const down = hub.faults.add({ kind: 'down' })
  await open
  await t.rejects(app('GET', '/repos/acme/infra'), TypeError)
  await t.rejects(fetch(`${hub.issuer}/.well-known/jwks`), TypeError)
  t.ok(down.struck() >= 2)
  down.remove()
  t.equal((await app('GET', '/repos/acme/infra')).status, 200)
})

t.test('dispatches without a run, runs that are never picked up, and runs that fail at once', async (t) => {
  const { hub, repository, app } = await prepare(t)
  const path = '/repos/acme/infra/actions/workflows/svc-run.yml/dispatches'
  const dispatch = () => app('POST', path, { ref: 'main', return_run_details: true })
  hub.faults.add({ kind: 'workflow', path: file, effect: 'swallowed', times: 1 })
  const { body } = await dispatch()
  const { workflow_run_id: id } = body as { workflow_run_id: number }
  t.type(id, 'number')
  t.equal((await app('GET', `/repos/acme/infra/actions/runs/${id}`)).status, 404)
  hub.faults.add({ kind: 'workflow', effect: 'startup_failure', times: 1 })
  await dispatch()
  hub.faults.add({ kind: 'workflow', effect: 'never-picked-up', times: 1 })
  await dispatch()
  t.match(
    repository.workflowRuns().map((run) => run.now()),
    [
      { status: 'completed', conclusion: 'startup_failure' },
      { status: 'queued', conclusion: null },
    ],
  )
})
