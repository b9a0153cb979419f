import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import t from 'tap'
import { pauseInstallation, resumeInstallation } from '#db/moving/moving-installation.ts'
import { sql } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { applicationEnv } from '#test/helpers/application-env.ts'
import { until } from '#test/helpers/until.ts'
import { startWorld, type World } from '#test/helpers/world.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { planning, query } from '#test/scenes/scene.ts'
import { allRows, emptyService, exported, imported, linesIn, ownFolder, packed, rowsOfAll } from './moving-story.ts'

const main = join(import.meta.dirname, '../../../src/main.ts')
const world = await startWorld(t, { files: withWorkflow })
const plan = await planning(world, ['a', 'b'])
for (const key of ['a', 'b']) await plan.job.report(plan.id, key)
await world.settled()

const resume = async (): Promise<void> => {
  const [installation] = await query(world, 'select id from installations')
  await transact(world.pool, (tx) => resumeInstallation(tx, installation?.id))
  await world.settled()
}

const stateOf = (at: World) =>
  query(at, 'select paused_at is not null as paused, suspended_at is not null as suspended from installations')

/** What is exported of an installation, but for the numbers of its jobs: each service gives its own. */
const rowsIn = async (file: string): Promise<string[]> =>
  (await linesIn(file)).slice(2, -1).map((line) => line.replace(/^(\{"table":"jobs","row":\{"id": )\d+/, '$1'))

t.test('what is not a whole file of the same version is refused, and nothing of it is there', async (t) => {
  const { file } = await exported(t, world.pool)
  await resume()
  const other = await emptyService(t)
  const folder = await ownFolder(t)
  const whole = await readFile(file)
  const lines = await linesIn(file)
  const changed = (at: number, change: (line: string) => string) => packed(lines.with(at, change(lines[at] ?? '')))
  const first = lines.findIndex((line) => line.startsWith('{"table":"stacks"'))
  const spoilt = Buffer.from(whole)
  spoilt[whole.length - 6] = (spoilt[whole.length - 6] ?? 0) ^ 1
  const cases: [what: string, body: Buffer, says: RegExp][] = [
    ['a changed byte', spoilt, /is damaged: it cannot be unpacked/],
    ['half of it', whole.subarray(0, whole.length / 2), /is damaged: it cannot be unpacked: unexpected end of file/],
    ['nothing', Buffer.alloc(0), /is damaged/],
    ['another file', Buffer.from('hello\n'), /is damaged: it cannot be unpacked: incorrect header/],
    ['other lines', packed(['hello']), /damaged: its first line does not say that it is an installation/],
    ['no last line', packed(lines.slice(0, -1)), /is cut off: its last line is missing/],
    ['a line too much', packed([...lines, lines.at(-1) ?? '']), /goes on after its last line/],
    ['a row less', packed(lines.toSpliced(-2, 1)), /has \d+ rows of jobs, and says \d+/],
    ['a stack less', packed(lines.toSpliced(first, 1)), /is damaged: \w+: Key .* is not present in table "stacks"/],
    ['half a row', changed(first, (line) => line.slice(0, -9)), /has a line that is no row/],
    ['no row', changed(first, () => '{"table":"stacks","row":{"id":"x"}}'), /is damaged: stacks: invalid input syntax/],
    ['another row', changed(first, (line) => line.replace('"key": "', '"key": "x')), /its checksum is not that/],
    ['a key', changed(first, () => '{"table":"api_keys","row":{}}'), /has rows of api_keys, which does not move/],
    [
      "another's row",
      changed(first, (line) => line.replace(/"installation_id": \d+/, '"installation_id": 7')),
      /has rows of stacks that are of another installation/,
    ],
    [
      'another version',
      changed(0, (line) => line.replace(/"schema":"[^"]+"/, '"schema":"0001-first.sql"')),
      /has the schema 0001-first\.sql, this service 00\d\d-.+\.sql: run the same version/,
    ],
    ['another format', changed(0, (line) => line.replace(':1,', ':2,')), /its first line does not say/],
  ]
  for (const [what, body, says] of cases) {
    const path = join(folder, 'spoilt.svc')
    await writeFile(path, body)
    await t.rejects(imported(other.pool, path), says, what)
    t.equal(await rowsOfAll(other.pool), 0, what)
  }
  await t.rejects(imported(other.pool, join(folder, 'none.svc')), /no such file/)
  await imported(other.pool, file)
})

t.test('a program of another version than the database takes nothing out, and brings nothing in', async (t) => {
  const { file } = await exported(t, world.pool)
  await resume()
  const other = await emptyService(t)
  const later = sql.unsafe`insert into migrations (number, name) values (9999, '9999-later.sql')`
  const says =
    /the database has the schema 9999-later\.sql, this program 00\d\d-.+\.sql: run that of the service's own version/
  await other.pool.query(later)
  await t.rejects(imported(other.pool, file), says)
  t.equal(await rowsOfAll(other.pool), 0)
  await world.pool.query(later)
  await t.rejects(exported(t, world.pool), says)
  t.match(await stateOf(world), [{ paused: false, suspended: false }])
  await query(world, 'delete from migrations where number = 9999 returning 1')
})

t.test('an installation that is there, or one of its repositories, is not written over', async (t) => {
  const { file, id } = await exported(t, world.pool)
  await resume()
  const before = await allRows(world.pool, id)
  await t.rejects(imported(world.pool, file), /installation \d+ of acme is there already, with stacks or runs/)
  t.same(await allRows(world.pool, id), before)

  const other = await emptyService(t)
  const client = new Client({ connectionString: other.url })
  await client.connect()
  t.teardown(() => client.end())
  await client.query(`insert into installations (id, account_id, account_login, account_type) values (5, 5, 'acme', 'Organization');
    insert into repositories (id, installation_id, owner, name, default_branch)
    values (${world.repository.id}, 5, 'acme', 'infra', 'main')`)
  await t.rejects(imported(other.pool, file), /is there already: repositories: Key \(id\)=\(\d+\) already exists/)
  t.equal(await rowsOfAll(other.pool), 2)
})

t.test('an installation that has something under way stays, as it was', async (t) => {
  const busy = await planning(world, ['c'])
  const says = new RegExp(`acme cannot be moved now. runs that are not over: 1 \\(run ${busy.id}\\)`)
  await t.rejects(exported(t, world.pool), says)
  t.match(await stateOf(world), [{ paused: false, suspended: false }])
  await busy.job.report(busy.id, 'c')
  await world.settled()

  let late: { job: typeof busy.job; id: string } | undefined
  const begin = async () => {
    // let in before the pause, and begun after it
    await resume()
    late = await planning(world, ['d'])
  }
  await t.rejects(exported(t, world.pool, { meanwhile: begin }), /acme cannot be moved now/)
  t.match(await stateOf(world), [{ paused: false, suspended: false }], 'what began after the pause ends it')
  t.match(await late?.job.report(late.id, 'd'), { status: 200 })
  await world.settled()

  // until the bucket has them: it is nobody's job
  await query(
    world,
    `insert into jobs (queue, kind, key, payload, run_at) values ('jobs', 'store_plans', '${plan.id}',
       '{"run_id": "${plan.id}"}', now() + interval '1 hour') returning 1`,
  )
  await t.rejects(exported(t, world.pool), new RegExp(`jobs in the queue: 1 \\(store_plans ${plan.id}\\)`))
  await query(world, `update jobs set run_at = now() where kind = 'store_plans' returning 1`)
  await world.settled()
})

t.test('one that is paused stays so whatever the code host says, and is served again once it is resumed', async (t) => {
  await exported(t, world.pool)
  await query(
    world,
    `insert into jobs (queue, kind, key, payload) values ('jobs', 'sync_installations', 'all', '{}') returning 1`,
  )
  await world.settled()
  t.match(await stateOf(world), [{ paused: true, suspended: true }])
  await exported(t, world.pool)
  t.match(await stateOf(world), [{ paused: true, suspended: true }], 'and may be exported again')
  await resume()
  t.match(await stateOf(world), [{ paused: false, suspended: false }])
  const { job, id } = await planning(world, ['e'])
  t.match(await job.report(id, 'e'), { status: 200 })
  await world.settled()
})

/** Starts `svc-server`, and kills it once it waits for a table that somebody holds. */
const killedAt = async (table: string, url: string, args: string[]): Promise<void> => {
  const holder = new Client({ connectionString: url })
  await holder.connect()
  await holder.query(`begin; lock table ${table} in access exclusive mode`)
  const { PATH = '' } = applicationEnv()
  const child = spawn(process.execPath, [main, ...args], { env: { PATH, DATABASE_URL: url }, stdio: 'ignore' })
  const waiting = `select from pg_locks where not granted and relation = '${table}'::regclass`
  await until(async () => (await holder.query(waiting)).rows.length > 0)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await holder.query('rollback')
  const others = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`
  await until(async () => (await holder.query(others)).rows.length === 0)
  await holder.end()
}

t.test('an import that is killed leaves nothing, and can be done again', async (t) => {
  const { file, id } = await exported(t, world.pool)
  await resume()
  const other = await emptyService(t)
  // after nearly all others
  await killedAt('jobs', other.url, ['installation', 'import', '--file', file])
  t.equal(await rowsOfAll(other.pool), 0)
  await imported(other.pool, file)
  t.ok((await allRows(other.pool, id)).stacks?.length)
})

t.test('an export that is killed leaves no file of the name, and can be done again', async (t) => {
  const { file, id } = await exported(t, world.pool)
  await resume()
  const other = await emptyService(t)
  await imported(other.pool, file)
  await pauseInstallation(other.pool, id)
  const target = join(await ownFolder(t), 'again.svc')
  await killedAt('jobs', other.url, ['installation', 'export', 'acme', '--file', target])
  t.notOk(existsSync(target))
  const again = await exported(t, other.pool)
  t.same(await rowsIn(again.file), await rowsIn(file), 'the same rows but for its own')
})
