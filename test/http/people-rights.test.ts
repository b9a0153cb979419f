import { randomUUID } from 'node:crypto'
import t from 'tap'
import { applying, auditOf } from '#test/scenes/applying.ts'
import { browserAt } from '#test/scenes/people.ts'
import { addKey, planning, query, send } from '#test/scenes/scene.ts'
import { ask, post, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, service, grace, rita, olga, eve } = await twoOrganisations(t)
const { github } = world
const held = await applying(world, [['network']])
const planned = await planning(world, ['app'])
await planned.job.report(planned.id, 'app', { status: 'failure', exit_code: 1 })
const stackId: string = (await query(world, `select id from stacks where key = 'network'`))[0]?.id
const lockState = async () => (await query(world, `select state from locks where stack_id = '${stackId}'`))[0]?.state

t.test('members of the organisation read its runs, gates and locks', async (t) => {
  for (const browser of [grace, rita, olga]) {
    t.match(await ask(browser, `/v1/runs/${planned.id}`), {
      status: 200,
      json: { id: planned.id, stacks: [{ key: 'app' }] },
    })
    t.match(await ask(browser, `/v1/runs/${planned.id}/gate`), { status: 200, json: { allowed: false } })
    t.match(await ask(browser, '/v1/locks'), { status: 200, json: { items: [{ stack_key: 'network' }] } })
    t.match(await ask(browser, '/v1/locks?repo=ACME/Infra'), {
      status: 200,
      json: { items: [{ stack_key: 'network' }] },
    })
  }
})

t.test('hidden things are answered like missing ones, whatever right the person has at the code host', async (t) => {
  const absent = randomUUID()
  const cases: [
    what: string,
    hidden: () => ReturnType<typeof ask>,
    missing: () => ReturnType<typeof ask>,
    differ: [string, string],
  ][] = [
    ['run', () => ask(eve, `/v1/runs/${planned.id}`), () => ask(eve, `/v1/runs/${absent}`), [planned.id, absent]],
    [
      'gate',
      () => ask(eve, `/v1/runs/${planned.id}/gate`),
      () => ask(eve, `/v1/runs/${absent}/gate`),
      [planned.id, absent],
    ],
    [
      'gate of an apply',
      () => ask(eve, `/v1/runs/${held.applyId}/gate`),
      () => ask(eve, `/v1/runs/${absent}/gate`),
      [held.applyId, absent],
    ],
    [
      'rerun',
      () => post(eve, `/v1/runs/${planned.id}/rerun`),
      () => post(eve, `/v1/runs/${absent}/rerun`),
      [planned.id, absent],
    ],
    [
      'unlock by id',
      () => post(eve, `/v1/stacks/${stackId}/unlock`),
      () => post(eve, `/v1/stacks/${absent}/unlock`),
      [stackId, absent],
    ],
    [
      'unlock by key',
      () => post(eve, '/v1/unlock', { repo: 'acme/infra', stack_key: 'network' }),
      () => post(eve, '/v1/unlock', { repo: 'acme/none', stack_key: 'network' }),
      ['acme/infra', 'acme/none'],
    ],
    [
      'unlock of no stack',
      () => post(eve, '/v1/unlock', { repo: 'acme/infra', stack_key: 'none' }),
      () => post(eve, '/v1/unlock', { repo: 'acme/none', stack_key: 'none' }),
      ['acme/infra', 'acme/none'],
    ],
    [
      'locks',
      () => ask(eve, '/v1/locks?repo=acme/infra'),
      () => ask(eve, '/v1/locks?repo=acme/none'),
      ['acme/infra', 'acme/none'],
    ],
  ]
  for (const [what, hidden, missing, [shown, other]] of cases) {
    const [one, two] = [await hidden(), await missing()]
    t.match(one, { status: 404, json: { code: 'not_found' } }, what)
    t.equal(one.text.replaceAll(shown, other), two.text, `${what}: the answers do not differ`)
  }
  t.same((await ask(eve, '/v1/locks')).json.items, [], 'lists leave it out')
  t.match(await lockState(), /^held/)
})

t.test('runs and unlocks need push permission, as the code host reports it now', async (t) => {
  for (const [path, body] of [
    [`/v1/runs/${planned.id}/rerun`, undefined],
    [`/v1/stacks/${stackId}/unlock`, undefined],
    ['/v1/unlock', { repo: 'acme/infra', stack_key: 'network' }],
  ] as const) {
    t.match(
      await post(rita, path, body),
      { status: 403, json: { code: 'forbidden', message: /push permission on acme\/infra/ } },
      path,
    )
  }
  t.match(await lockState(), /^held/)
  t.same(await auditOf(world, 'unlock'), [])
  t.same(await auditOf(world, 'rerun'), [])
  github.faults.add({
    kind: 'request',
    path: '/repos/{owner}/{repo}/collaborators/{username}/permission',
    effect: { status: 502 },
    times: 3,
  })
  t.match(await post(grace, `/v1/stacks/${stackId}/unlock`), { status: 503, json: { code: 'unavailable' } })
  t.match(await lockState(), /^held/, 'a person whose permission cannot be read is not let in')
})

t.test('changes must come from our own pages', async (t) => {
  for (const headers of [
    {},
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    for (const path of [`/v1/runs/${planned.id}/rerun`, `/v1/stacks/${stackId}/unlock`, '/v1/unlock']) {
      const answer = await post(
        grace,
        path,
        path === '/v1/unlock' ? { repo: 'acme/infra', stack_key: 'network' } : undefined,
        headers,
      )
      t.match(
        answer,
        { status: 403, json: { code: 'forbidden', message: /must come from/ } },
        `${path} ${JSON.stringify(headers)}`,
      )
    }
  }
  t.match(await lockState(), /^held/)
  t.equal(
    (await ask(browserAt(service.url, grace.cookies), `/v1/runs/${planned.id}`)).status,
    200,
    'reads may come from anywhere',
  )
})

t.test('a person with push permission plans again and unlocks, under their own name', async (t) => {
  const again = await post(grace, `/v1/runs/${planned.id}/rerun`, undefined, { 'sec-fetch-site': 'same-origin' })
  t.match(again, { status: 201, json: { run: { trigger: 'rerequest', requested_by: 'grace' } } })
  t.match(await auditOf(world, 'rerun'), [{ actor: 'grace', target: 'acme/infra' }])
  const released = await post(olga, `/v1/stacks/${stackId}/unlock`, { reason: 'gone home' })
  t.match(released, { status: 200, json: { released: [{ stack_key: 'network', reason: 'gone home' }] } })
  t.match(await auditOf(world, 'unlock'), [
    { actor: 'olga', target: 'acme/infra//network', details: { reason: 'gone home' } },
  ])
  t.same((await post(grace, '/v1/unlock', { repo: 'acme/infra', stack_key: 'network' })).json, { released: [] })
  t.equal((await post(grace, '/v1/unlock', { repo: 'acme/infra', stack_key: 'none' })).status, 404)
})

t.test('routes of jobs accept no sessions', async (t) => {
  for (const path of ['/v1/runs', `/v1/runs/${planned.id}/graph`, `/v1/runs/${planned.id}/stacks/app/result`]) {
    t.match(
      await post(grace, path, {}),
      { status: 401, json: { code: 'unauthorized', message: /no credentials/ } },
      path,
    )
  }
})

t.test('a login that now belongs to another person gives no right', async (t) => {
  await query(world, `update sessions set user_id = 1 where login = 'grace'`)
  const answer = await post(grace, `/v1/stacks/${stackId}/unlock`)
  t.match(answer, { status: 403, json: { code: 'forbidden', message: /push permission/ } })
})

t.test('a removed repository is gone for reads by id, too, as it is from lists', async (t) => {
  const paths = [
    `/v1/runs/${planned.id}`,
    `/v1/runs/${planned.id}/timeline`,
    `/v1/stacks/${stackId}`,
    `/v1/stacks/${stackId}/runs`,
    `/v1/machines/run/${planned.id}`,
    `/v1/machines/lock/${stackId}/journal`,
    '/v1/repos/acme/infra/runs',
    '/v1/locks?repo=acme/infra',
  ]
  const key = await addKey(world)
  const statuses = async () => ({
    person: await Promise.all(paths.map(async (path) => (await ask(grace, path)).status)),
    key: await Promise.all(paths.map(async (path) => (await send(world, key, path)).status)),
  })
  const { applyId } = await applying(world, [['data']])
  const locks = async () => [
    (await ask(grace, '/v1/locks')).json.items,
    (await send(world, key, `/v1/locks?run=${applyId}`)).body.items,
  ]
  const lock = [{ stack_key: 'data' }]
  const all = (status: number) => paths.map(() => status)
  t.same(await statuses(), { person: all(200), key: all(200) })
  t.match(await locks(), [lock, lock])
  for (const table of ['repositories', 'installations']) {
    await query(world, `update ${table} set removed_at = now() where true returning id`)
    t.same(await statuses(), { person: all(404), key: all(404) }, table)
    t.same(await locks(), [[], []], table)
    await query(world, `update ${table} set removed_at = null where true returning id`)
  }
})

t.test('after a repository changes hands, its new owners see it', async (t) => {
  await query(
    world,
    `update repositories set installation_id = (select id from installations where account_login = 'other')`,
  )
  t.equal((await ask(rita, `/v1/runs/${planned.id}`)).status, 404)
  t.equal((await ask(eve, `/v1/runs/${planned.id}`)).status, 200)
})
