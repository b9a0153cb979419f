import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { applying } from '#test/scenes/applying.ts'
import { addKey, planning, query, send } from '#test/scenes/scene.ts'
import { askingFor, uncoloured } from './asking.ts'

const world = await startWorld(t)
const { ask, key } = await askingFor(t, world)
const long = 'infrastructure/production/eu-central-1/network/transit'
const planned = await planning(world, ['network', long])
const applied = await applying(world, [['app']])
await world.settled()

const api = (path: string) => send(world, key, path)

t.test('with --json a list is the answer of the API to the same filters', async (t) => {
  const table = [
    [['runs'], '/v1/runs'],
    [['runs', '--mode=plan', '--open=true', '--limit=1'], '/v1/runs?mode=plan&open=true&limit=1'],
    [
      ['runs', '--repo=acme/infra', `--pr=${planned.pull.number}`],
      `/v1/runs?repo=acme/infra&pr=${planned.pull.number}`,
    ],
    [['stacks', '--q=net'], '/v1/stacks?q=net'],
    [['locks', '--repo=acme/infra'], '/v1/locks?repo=acme/infra'],
    [['audit', '--actor=system'], '/v1/audit?actor=system'],
  ] as const
  for (const [args, path] of table) {
    const ran = await ask([...args, '--json'])
    t.same([ran.code, ran.stderr], [0, ''], args.join(' '))
    t.same(ran.json, (await api(path)).body, path)
  }
})

t.test('every filter of the API is a flag, under its own name', async (t) => {
  const { paths } = (await api('/v1/openapi.json')).body
  for (const name of ['runs', 'stacks', 'locks', 'audit']) {
    const { stdout } = await ask([name, '--help'])
    for (const { name: filter } of paths[`/v1/${name}`].get.parameters)
      t.match(stdout, new RegExp(`^  --${filter === 'cursor' ? 'after' : filter}=`, 'm'), `svc ${name} --${filter}`)
  }
})

t.test('a table fits the terminal: long names are cut in their middle, ids and statuses never', async (t) => {
  const wide = await ask(['stacks'])
  const { stdout } = await ask(['runs'], { terminal: { columns: 77, rows: 20 } })
  const lines = uncoloured(stdout).trimEnd().split('\n')
  t.match(lines[0], /^RUN {12}STATUS {4}MODE {3}REPO…TORY {2}PULL {2}COMMIT {3}WAVES {2}BY/)
  t.ok(lines.every((line) => [...line].length <= 77))
  t.match(lines.at(-1), new RegExp(`^${planned.id.slice(0, 13)} {2}planning {2}plan`))
  t.match((await ask(['runs'])).stdout, planned.id, 'programs get the whole id')
  t.notOk(wide.stdout.includes('…'), 'and nothing cut')
  const narrow = await ask(['run', planned.id], { terminal: { columns: 60, rows: 20 } })
  t.match(uncoloured(narrow.stdout), /\n1 {5}infrastru\S*…\S*transit +planning/)
})

t.test('what a terminal shows of the ids of runs that came in one minute names each of them', async (t) => {
  const { stdout } = await ask(['runs'], { terminal: { columns: 120, rows: 20 } })
  const [, ...shown] = uncoloured(stdout)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ', 1)[0] ?? '')
  const whole = (await api('/v1/runs')).body.items.map(({ id }: { id: string }) => id)
  const named = await Promise.all(shown.map(async (id) => (await ask(['run', id, '--json'])).json.id))
  t.same(named, whole)
})

t.test('colours are for terminals, and for none with NO_COLOR', async (t) => {
  const terminal = { columns: 120, rows: 20 }
  t.match((await ask(['runs'], { terminal })).stdout, '\u001b[36mplanning\u001b[39m')
  t.notMatch((await ask(['runs'], { terminal, env: { NO_COLOR: '1' } })).stdout, '\u001b')
  t.notMatch((await ask(['runs'])).stdout, '\u001b')
})

t.test('pages follow each other: by hand with --after, or all of them at once', async (t) => {
  const whole = (await api('/v1/runs')).body.items.map(({ id }: { id: string }) => id)
  t.equal(whole.length, 3)
  const first = await ask(['runs', '--limit=1'])
  const [, after = ''] = /--after=(\S+) for the next, --all for all\n$/.exec(first.stderr) ?? []
  t.match(first.stdout, whole[0])
  const second = await ask(['runs', '--limit=1', `--after=${after}`])
  t.match(second.stdout, whole[1])
  const all = await ask(['runs', '--limit=1', '--all', '--json'])
  t.same(
    all.json.items.map(({ id }: { id: string }) => id),
    whole,
  )
  t.notOk('next_cursor' in all.json)
  t.match((await ask(['runs', '--all', `--after=${after}`])).stderr, /--all and --after exclude each other/)
})

t.test('locks say who holds them, and the audit log who did what', async (t) => {
  t.match(
    (await ask(['locks'])).stdout,
    new RegExp(`acme/infra +app +held\\.\\w+ +#${applied.pull.number} +${applied.applyId}`),
  )
  t.match((await ask(['locks', '--state=held.merged'])).stdout, /^no locks\n$/)
  t.match((await ask(['stacks'])).stdout, /no stacks|REPOSITORY/)
})

t.test('each mistake and each refusal is told with what to do about it', async (t) => {
  await query(world, "update api_keys set revoked_at = now() where name = 'gone'")
  const gone = await addKey(world, 'gone')
  await query(world, "update api_keys set revoked_at = now() where name = 'gone'")
  const none = '00000000-0000-4000-8000-000000000000'
  const table: [string[], Record<string, string | undefined>, number, RegExp][] = [
    [
      ['runs'],
      { SVC_API_KEY: undefined },
      1,
      /^error: SVC_API_KEY: is not set: a key that 'svc-server api-key create'/,
    ],
    [
      ['runs'],
      { SVC_API_KEY: 'ghp_x' },
      1,
      /^error: SVC_API_KEY: is no API key of the service: those begin with sk_\n/,
    ],
    [['runs'], { SVC_API_KEY: gone }, 1, /answered 401 unauthorized: .*revoked.*: check SVC_API_KEY/],
    [['runs'], { SVC_URL: undefined }, 1, /^error: SVC_URL: is not set/],
    [['runs', '--url=nowhere'], {}, 1, /^error: SVC_URL: 'nowhere' is not an address/],
    [['runs', '--status=plannd'], {}, 1, /answered 400 invalid: status\[0\]: must be one of pending, planning/],
    [['runs', '--repo=acme/none'], {}, 1, /answered 404 not_found: /],
    [['run', none], {}, 1, /answered 404 not_found: run .* does not exist/],
    [['run', 'ffffffff'], {}, 1, /^error: no run that you see has an id that begins with ffffffff\n/],
    [['run', 'network'], {}, 1, /^error: 'network' is not the id of a run: a UUID, or at least its first four digits/],
    [['run', none, '--hold-plan'], {}, 1, /^error: --hold-plan is for jobs, and means nothing with the id of a run/],
    [['run', '--watch'], {}, 1, /^error: --watch needs the id of a run/],
    [['gate'], {}, 1, /^error: RUN is missing/],
    [['rerun', applied.applyId], {}, 3, /answered 409 conflict: only plan runs can be run again/],
    [['unlock'], {}, 1, /^error: STACK is missing/],
    [['unlock', 'app'], {}, 1, /^error: --repo=OWNER\/NAME: is missing/],
    [['plan-text', planned.id], {}, 1, /^error: it takes two arguments/],
  ]
  for (const [args, env, code, says] of table) {
    const ran = await ask(args, { env })
    t.equal(ran.code, code, args.join(' '))
    t.match(ran.stderr, says)
    t.notOk(ran.stderr.includes(gone), 'and no key is shown')
    t.equal(ran.stdout, '')
  }
  const away = await ask(['runs', '--json'], { env: { SVC_URL: 'http://127.0.0.1:9' } })
  t.equal(away.code, 1)
  t.match(away.json.error, { code: 'unavailable', message: /ECONNREFUSED.*: check SVC_URL, and whether this machine/ })
})
