import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from 'pg'
import t from 'tap'
import { createS3Store } from '#artifacts/s3.ts'
import { readCommandLine } from '#cli/command-line.ts'
import { runCommand } from '#cli/run-command.ts'
import { applicationEnv } from '#test/helpers/application-env.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { until } from '#test/helpers/until.ts'
import { query } from '#test/scenes/served.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const { url } = await testDatabase(t)

type Ran = { status: number | null; out: string; err: string }

/** `svc-server` in its own process, with nothing in its environment but the given variables. */
const start = (args: string[], env: Record<string, string> = { DATABASE_URL: url }): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const { PATH = '' } = applicationEnv()
    const child = spawn(process.execPath, [main, ...args], { env: { PATH, ...env } })
    const ran = { out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      ran.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      ran.err += chunk
    })
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, ...ran }))
  })

/** The same, without a process for each call. */
const run = async (args: string[], env: Record<string, string> = { DATABASE_URL: url }): Promise<Ran> => {
  const command = readCommandLine(args)
  if ('problem' in command || command.kind === 'serve' || command.kind === 'help') throw new Error(args.join(' '))
  const { out, note = '', status } = await runCommand(command, { env, tryStore: createS3Store, progress: () => {} })
  return { out, err: note, status }
}

const rows = () => query(url, ['select * from api_keys order by created_at'])

t.test('a key is printed once, and stored as its hash', async (t) => {
  const { status, out, err } = await start(['api-key', 'create', '--name', 'ci'])
  t.equal(status, 0)
  t.match(out, /^sk_[A-Za-z0-9_-]{43}\n$/, 'alone, for a script to take')
  t.match(err, /never shown again/)
  const key = out.trim()
  const [row] = await rows()
  t.match(row, {
    name: 'ci',
    key_hash: createHash('sha256').update(key).digest('hex'),
    prefix: key.slice(0, 10),
    created_by: /^cli:.+/,
    revoked_at: null,
  })
  t.notMatch(JSON.stringify(row), key.slice(10))
})

t.test('a second key of the name is refused while the first is in use', async (t) => {
  t.match(await run(['api-key', 'create', '--name', 'ci']), { status: 1, out: '', err: /there is a key ci in use/ })
  t.equal((await rows()).length, 1)
})

t.test('keys are listed without their secrets', async (t) => {
  const made = await run(['api-key', 'create', '--name', 'nightly', '--json'])
  const { key, ...shown } = JSON.parse(made.out)
  const listed = await run(['api-key', 'list', '--json'])
  t.equal(listed.status, 0)
  t.match(JSON.parse(listed.out), [{ name: 'ci' }, shown])
  t.notOk(listed.out.includes(key.slice(10)))
  const table = await run(['api-key', 'list'])
  t.match(table.out, /^NAME +PREFIX +CREATED +LAST USED +STATE +ID\nci +sk_.{7}… .* never +in use /)
})

t.test('a key is revoked by its name or its id, and only once', async (t) => {
  t.match(await run(['api-key', 'revoke', 'ci']), { status: 0, out: /^ci \(sk_.{7}…\) is revoked\n$/ })
  const [ci, nightly] = await rows()
  t.type(ci.revoked_at, Date)
  t.match(await run(['api-key', 'revoke', 'ci']), { status: 0, out: /was revoked on/ })
  t.same((await rows())[0].revoked_at, ci.revoked_at, 'and stays revoked since then')
  const byId = await run(['api-key', 'revoke', nightly.id.toUpperCase(), '--json'])
  t.match(JSON.parse(byId.out), { id: nightly.id, name: 'nightly', revoked_at: /^\d{4}-/ })
  t.match(await run(['api-key', 'revoke', 'nobody']), { status: 1, out: '', err: /there is no key nobody/ })
  t.match(await run(['api-key', 'create', '--name', 'ci']), { status: 0 }, 'the name is free again')
})

t.test('revoke wants an id for one of several keys with the same name, made by hand', async (t) => {
  for (const hash of ['one', 'two']) {
    await query(url, [
      'insert into api_keys (name, key_hash, prefix, created_by) values ($1, $2, $3, $4)',
      ['twin', hash, 'sk_1234567', 'sql'],
    ])
  }
  t.match(await run(['api-key', 'revoke', 'twin']), {
    status: 1,
    err: /several keys in use are called twin: give the id/,
  })
})

t.test('a wrong command line is explained, with the usage of the command that was meant', async (t) => {
  const all = /^svc-server: the stack orchestration service\n/
  const ofKeys =
    /^svc-server api-key\n\nUsage:\n(?!.*config check).* api-key create .* api-key list .* api-key revoke .*\n\nKeys /s
  const ofInstallations =
    /^svc-server installation\n\nUsage:\n.* installation export .* installation import .* installation resume .*\n\nMoves /s
  const ofConfig = /^svc-server config\n\nUsage:\n.* config check .*\n\nChecks /
  const cases: [args: string[], says: string, usage: RegExp][] = [
    [['serve'], 'unknown command serve', all],
    [['constructor'], 'unknown command constructor', all],
    [['api-key'], 'api-key: say what to do: create, list, revoke', ofKeys],
    [['api-key', '--json'], 'api-key: say what to do: create, list, revoke', ofKeys],
    [['config'], 'config: say what to do: check', ofConfig],
    [['api-key', 'delete'], 'unknown command api-key delete: api-key can create, list, revoke', ofKeys],
    [['config', 'show'], 'unknown command config show: config can check', ofConfig],
    [['api-key', 'create'], 'api-key create: --name must say what the key is for', ofKeys],
    [['api-key', 'create', 'ci'], 'api-key create: unknown argument ci', ofKeys],
    [['api-key', 'create', '--name'], "Option '--name <value>' argument missing", ofKeys],
    [['api-key', 'create', '--nam', 'ci'], "Unknown option '--nam'", ofKeys],
    [['api-key', 'revoke'], 'api-key revoke: name the key, or give its id', ofKeys],
    [['api-key', 'revoke', 'one', 'two'], 'api-key revoke: unknown argument two', ofKeys],
    [
      ['api-key', 'revoke', '--name', 'ci'],
      'api-key revoke: --name is for api-key create; here the name comes without a flag',
      ofKeys,
    ],
    [['api-key', 'list', 'all'], 'api-key list: unknown argument all', ofKeys],
    [['api-key', 'list', '--name', 'x'], 'api-key list: --name is for api-key create', ofKeys],
    [['config', 'check', 'all'], 'config check: unknown argument all', ofConfig],
    [['installation'], 'installation: say what to do: export, import, resume', ofInstallations],
    [
      ['installation', 'export', '--file', 'x'],
      'installation export: name the account that has the app, or give its id',
      ofInstallations,
    ],
    [
      ['installation', 'export', 'acme'],
      'installation export: --file must name the file, or be - for the standard output',
      ofInstallations,
    ],
    [
      ['installation', 'export', 'acme', '--file', '-', '--json'],
      'installation export: --json prints to the standard output, which has the file',
      ofInstallations,
    ],
    [
      ['installation', 'import'],
      'installation import: --file must name the file, or be - for the standard input',
      ofInstallations,
    ],
    [['installation', 'import', 'acme', '--file', 'x'], 'installation import: unknown argument acme', ofInstallations],
    [
      ['installation', 'resume', 'acme', '--file', 'x'],
      'installation resume: --file is for installation export and installation import',
      ofInstallations,
    ],
    [['--file', 'x'], '--file is for installation export and installation import', all],
    [['--verbose'], "Unknown option '--verbose'", all],
    [['--json'], '--json is for commands that print something', all],
    [['--name', 'x'], '--name is for api-key create', all],
  ]
  for (const [args, problem, usage] of cases) {
    t.match(readCommandLine(args), { problem, usage }, args.join(' '))
  }
  const ran = await start(['api-key'])
  t.match(ran, {
    status: 1,
    out: '',
    err: /^svc-server: api-key: say what to do: .*\n\nsvc-server api-key\n\nUsage:\n/,
  })
  t.match(await run(['--version']), { status: 0, out: /^\d+\.\d+\.\d+\n$/ })
  t.match(JSON.parse((await run(['--version', '--json'])).out), { version: /^\d+\.\d+\.\d+$/ })
  const { out } = await start(['api-key', 'list', '--nope', '--json'])
  t.same(JSON.parse(out), { error: { message: "Unknown option '--nope'" } })
  t.match(readCommandLine(['api-key', '--help']), { kind: 'help', usage: ofKeys })
  t.match(readCommandLine(['-h']), { kind: 'help', usage: all })
  t.match(await start(['--help']), { status: 0, out: /Usage:/, err: '' })
})

t.test('an invalid name is refused, with the reason', async (t) => {
  const cases: [name: string, says: RegExp][] = [
    ['', /--name: must not be empty/],
    ['x'.repeat(65), /--name: is 65 characters long, but 64 is the most/],
    ['a b', /--name: 'a b' must begin with a letter or digit and hold only/],
    ['-x', /--name: '-x' must begin/],
    ['0190f3a2-0000-7000-8000-000000000000', /--name: .* looks like the id of a key/],
  ]
  const before = (await rows()).length
  for (const [name, says] of cases) {
    t.match(await run(['api-key', 'create', `--name=${name}`]), { status: 1, out: '', err: says }, name)
  }
  t.equal((await rows()).length, before)
})

t.test('without a database there is an error that says so', async (t) => {
  t.match(await run(['api-key', 'list'], {}), { status: 1, err: /DATABASE_URL: must be set/ })
  for (const DATABASE_URL of ['mysql://x', 'postgres://a:b#c@host/x']) {
    t.match(await run(['api-key', 'list'], { DATABASE_URL }), { status: 1, err: /must be a postgres/ })
  }
  const away = await run(['api-key', 'list', '--json'], { DATABASE_URL: 'postgres://svc:hush@127.0.0.1:1/svc' })
  const said = /^DATABASE_URL: no connection to the database: connect ECONNREFUSED 127\.0\.0\.1:1$/
  t.match(JSON.parse(away.out), { error: { message: said } }, 'as JSON with --json')
  t.match(away, { status: 1, err: /^svc-server: DATABASE_URL: no connection/ })
  const empty = new URL(url)
  empty.pathname = '/postgres'
  t.match(await run(['api-key', 'list'], { DATABASE_URL: empty.href }), { status: 1, err: /start the service once/ })
})

t.test('config check names all problems, and no secret', async (t) => {
  const good = { SVC_BASE_URL: 'https://svc.example.com/', DATABASE_URL: 'postgres://svc:hush@localhost/svc' }
  const fine = await run(['config', 'check'], good)
  t.match(fine, {
    status: 0,
    out: /^base url: https:\/\/svc\.example\.com\n(.*\n)*setup mode: yes\nsign in: no\n/,
    err: '',
  })
  t.notMatch(fine.out, /hush/)
  t.match(JSON.parse((await run(['config', 'check', '--json'], good)).out), { ok: true, setup_mode: true, workers: 4 })
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) process.env[name] = '/nonexistent'
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION']) delete process.env[name]
  const bucket = { ...good, SVC_ARTIFACT_BUCKET: 'plans' }
  t.match(await run(['config', 'check'], bucket), { status: 1, out: '', err: /^svc-server: AWS_REGION: must be set/ })
  t.match(await run(['config', 'check'], { ...bucket, AWS_REGION: 'eu-central-1' }), { status: 0 })
  const bad = { SVC_WORKERS: 'many', SVC_SESSION_KEY: 'hush' }
  const wrong = await run(['config', 'check'], bad)
  t.equal(wrong.status, 1)
  for (const name of ['SVC_BASE_URL', 'DATABASE_URL', 'SVC_WORKERS', 'SVC_SESSION_KEY']) {
    t.match(wrong.err, new RegExp(`^svc-server: ${name}: `, 'm'))
  }
  t.notMatch(wrong.err, /hush/)
  const { ok, problems } = JSON.parse((await run(['config', 'check', '--json'], bad)).out)
  t.equal(ok, false)
  t.equal(problems.length, 4)
})

t.test('an installation is exported, imported and resumed', async (t) => {
  const other = await testDatabase(t)
  const folder = t.testdir()
  const file = join(folder, 'acme.svc')
  await query(url, [
    `insert into installations (id, account_id, account_login, account_type, paused_at, suspended_at)
     values (7, 7, 'Acme', 'Organization', now(), now())`,
  ])
  await query(url, [
    `insert into repositories (id, installation_id, owner, name, default_branch) values (8, 7, 'Acme', 'x', 'main')`,
  ])
  await query(url, [`insert into stacks (installation_id, id, repo_id, key) values (7, gen_random_uuid(), 8, 'a')`])
  const unknown = await run(['installation', 'export', 'nobody', '--file', file])
  t.match(unknown, { status: 1, out: '', err: /there is no installation nobody: give the account/ })
  const made = await start(['installation', 'export', 'acme', '--file', file, '--json'])
  t.match(made, { status: 0, err: /^installations: 1 rows\n/ })
  t.match(JSON.parse(made.out), {
    installation_id: 7,
    account: 'Acme',
    file,
    rows: { installations: 1, stacks: 1, runs: 0 },
  })
  const again = await run(['installation', 'export', '7', '--file', file])
  t.match(again, { status: 1, err: /--file: .*acme\.svc is there already: name another/ })

  const there = { DATABASE_URL: other.url }
  t.match(await start(['installation', 'import', '--file', file], there), {
    status: 0,
    out: /^Acme is here: 3 rows\. Next:\n/,
  })
  const twice = await run(['installation', 'import', '--file', file, '--json'], there)
  t.match(JSON.parse(twice.out), { error: { message: /installation 7 of Acme is there already/ } })
  t.match(await query(other.url, ['select paused_at, removed_at is not null as removed from installations']), [
    { paused_at: null, removed: true },
  ])

  const piped = await start(['installation', 'export', 'acme', '--file', '-'])
  t.match(piped, { status: 0, err: /Acme is in the standard output: 3 rows\. It stays paused here:\n/ })
  t.equal(piped.out.charCodeAt(0), 0x1f, 'compressed')
  t.match(await run(['installation', 'resume', '7']), { status: 0, out: 'Acme is served again\n' })
  t.match(await run(['installation', 'resume', 'acme']), { status: 0, out: 'Acme was not paused\n' })
})

t.test('the service ends if it is asked to while it waits to migrate', async (t) => {
  const other = new Client(url)
  await other.connect()
  t.teardown(() => other.end())
  // as another instance that migrates holds it (src/db/migrate.ts)
  await other.query('select pg_advisory_lock(7303014)')
  const { PATH = '' } = applicationEnv()
  const env = { PATH, DATABASE_URL: url, SVC_BASE_URL: 'http://svc.example.com', SVC_LISTEN: '127.0.0.1:0' }
  const child = spawn(process.execPath, [main], { env, stdio: 'ignore' })
  const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted and objid = 7303014
    and database = (select oid from pg_database where datname = current_database())`
  await until(async () => (await other.query(waiting)).rows.length > 0)
  child.kill('SIGTERM')
  t.same(await once(child, 'exit'), [1, null], 'by itself: the first process of a container has no other way to end')
})
