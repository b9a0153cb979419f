import t from 'tap'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { applying } from '#test/scenes/applying.ts'
import { planned, policy, pushPolicy } from '#test/scenes/commenting.ts'
import { addKey, query, send } from '#test/scenes/scene.ts'
import { ask, post, twoOrganisations } from '#test/scenes/two-organisations.ts'

const { world, grace, olga, rita, eve } = await twoOrganisations(t)
const { github } = world
github.organization('acme').team('sre').add('olga')
const key = await addKey(world)
await policy(world, { approvals: 1 })
const { id, pull } = await planned(world, ['network'])
const path = `/v1/runs/${id}/gate`

const tried = (config: string, by = grace) => post(by, path, { config })
const layersOf = ({ json }: { json: { failures: { layer: string }[] } }) => json.failures.map(({ layer }) => layer)

/** All that the service keeps but the times at which sessions and keys were used. */
const kept = async () =>
  (await query(world, 'select drift_schedule, drift_issues, apply_mode from repositories')).concat(
    await query(
      world,
      `select (select count(*) from journal) as journal, (select count(*) from audit) as audit,
      (select count(*) from jobs) as jobs, (select count(*) from runs) as runs, (select count(*) from locks) as locks`,
    ),
  )

t.test('a trial says what the gate would say by the given file, and changes nothing', async (t) => {
  t.same(layersOf(await ask(grace, path)), ['approval'], 'as it is')
  const before = await kept()
  const open = await tried('version: 1\napply: { approvals: 0 }\ndrift: { schedule: "0 4 * * *", issues: true }\n')
  t.match(open, { status: 200, json: { allowed: true, failures: [], asked_by: 'grace', waves: [['network']] } })
  t.notOk('comment' in open.json, 'no comment would start what is only tried')
  t.equal(open.json.facts[0].summary, 'The configuration that is tried is valid')
  t.same(layersOf(await tried('version: 1\napply: { approvals: 2, mode: "off", teams: [sre], checks: [cost] }\n')), [
    ...['mode', 'permission', 'approval', 'check'],
  ])
  t.same(layersOf(await tried('version: 1\napply: { approvals: 0, teams: [sre] }\n', olga)), [], 'a member')
  t.match(await tried('version: 1\napply: { approvals: 0 }\n', rita), { json: { failures: [{ name: 'push' }] } })
  t.same(await kept(), before)
  t.same(layersOf(await ask(grace, path)), ['approval'], 'and the gate is as it was')
})

t.test('an API key tries as no one in particular', async (t) => {
  const { status, body } = await send(world, key, path, { config: 'version: 1\napply: { approvals: 0, teams: [sre] }' })
  t.match({ status, body }, { status: 200, body: { allowed: true } })
  t.notOk('asked_by' in body)
  const permission = body.facts.find(({ layer }: { layer: string }) => layer === 'permission')
  t.equal(permission.verdict, 'unknown')
})

t.test('it asks the code host what the gate asks, and no file', async (t) => {
  const asked = async (act: () => Promise<unknown>) => {
    const from = github.requests.length
    await act()
    return github.requests.slice(from).map(({ method, path: to }) => `${method} ${to}`)
  }
  const config = JSON.stringify({ version: 1, apply: { approvals: 1, teams: ['sre'], code_owners: true } })
  await policy(world, { approvals: 1, teams: ['sre'], code_owners: true })
  await world.settled()
  const byGet = await asked(() => ask(grace, path))
  const byPost = await asked(() => tried(config))
  t.same(byPost.toSorted(), byGet.filter((one) => !one.includes('svc.yml')).toSorted())
  const named = (count: number, from: number) => Array.from({ length: count }, (_, i) => `team-${from + i}`)
  const rules = [{ teams: named(50, 50) }, { teams: named(1, 100) }]
  const most = await asked(async () => {
    const answer = await tried(JSON.stringify({ version: 1, apply: { approvals: 0, teams: named(50, 0), rules } }))
    const reason = 'makes 101 memberships of teams matter here, and a trial asks for 100 at most'
    t.match(answer, { status: 400, json: { code: 'invalid', details: { field: 'config', reason } } })
  })
  t.notOk(
    most.some((one) => one.includes('team-')),
    'and none of those is asked for',
  )
})

t.test('it works while the file of the default branch is invalid: that is when one tries', async (t) => {
  await pushPolicy(world, 'version: 1\napply: { mode: always }\n')
  t.same(layersOf(await ask(grace, path)), ['config'])
  t.match(await tried('version: 1\napply: { approvals: 0 }\n'), { status: 200, json: { allowed: true } })
})

t.test("a person's trials use up no more than their share of the organisation's requests", async (t) => {
  await policy(world, { approvals: 0 })
  await world.settled()
  const teams = Array.from({ length: 50 }, (_, i) => `team-${i}`)
  const rules = [{ teams: teams.map((team) => `${team}-too`) }]
  const config = JSON.stringify({ version: 1, apply: { approvals: 0, teams, rules } })
  const from = github.requests.length
  let refused = await tried(config, olga)
  for (let times = 1; refused.status === 200 && times < 10; times += 1) refused = await tried(config, olga)
  t.match(refused, { status: 503, json: { code: 'unavailable', message: /600 questions an hour/ } })
  const seconds = Number(refused.headers.get('retry-after'))
  t.ok(seconds > 0 && seconds <= 3600, `${seconds}`)
  const asked = github.requests.length - from
  t.ok(asked > 500 && asked < 1500, `${asked} requests`)
  t.equal((await tried(config, grace)).status, 200, 'others have their own')
  t.equal((await send(world, key, path, { config })).status, 200, 'and so have API keys')
  t.equal((await ask(olga, path)).status, 200, 'the gate itself is read as before')
})

t.test('a file with mistakes is answered with all of them', async (t) => {
  const text = 'version: 1\napply:\n  aprovals: 2\n  mode: never\n'
  const parsed = parseRepoConfig(text)
  t.notOk(parsed.ok)
  const answer = await tried(text)
  t.match(answer, {
    status: 400,
    json: {
      code: 'invalid',
      details: { field: 'config', reason: /line 3: .*did you mean 'approvals'\?; line 4: apply\.mode expected/ },
    },
  })
  for (const config of [undefined, 7, { version: 1 }, null])
    t.match(await post(grace, path, { config }), { status: 400, json: { details: { field: 'config' } } })
})

t.test('who may not read the run learns nothing, and only our own pages send it', async (t) => {
  const config = 'version: 1\n'
  t.match(await tried(config, eve), { status: 404, json: { code: 'not_found' } })
  t.match(await post(grace, path, { config }, { origin: 'http://evil.example' }), { status: 403 })
})

t.test('runs that no gate is before are refused', async (t) => {
  await policy(world, {})
  const { applyId } = await applying(world, [['applied']])
  t.match(await post(grace, `/v1/runs/${applyId}/gate`, { config: 'version: 1\n' }), {
    status: 409,
    json: { code: 'conflict', message: /tried on a plan run/ },
  })
  t.equal(pull.number > 0, true)
})
