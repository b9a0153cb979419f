import { Writable } from 'node:stream'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { systemClock } from '#clock.ts'
import { makeMonths } from '#commands/history/make-months.ts'
import { advisoryLocks } from '#db/advisory-locks.ts'
import { historyTableNames, partitionOf } from '#db/history/history-tables.ts'
import { monthsHere, strayRows } from '#db/history/partitions.ts'
import { createPool } from '#db/pool.ts'
import { seekLeadership } from '#db/queue/leadership.ts'
import { sql } from '#db/sql.ts'
import { idAt, monthAfter, monthAt } from '#domain/month.ts'
import { createLog } from '#log.ts'
import { testDatabase } from '#test/helpers/database.ts'

const opened = async (t: Test) => {
  const { url } = await testDatabase(t)
  const lines: string[] = []
  const sink = new Writable({ write: (line, _encoding, done) => done(void lines.push(String(line))) })
  const log = createLog({ level: 'warn', format: 'json' }, sink)
  const pool = await createPool(url, { log })
  t.teardown(() => pool.end())
  const client = new Client({ connectionString: url })
  await client.connect()
  t.teardown(() => client.end())
  const deps = { pool, log, clock: systemClock, pause: async () => {}, signal: new AbortController().signal }
  return { url, pool, client, deps, lines }
}

const now = monthAt(new Date())
const ahead = [0, 1, 2, 3].map((months) => monthAfter(now, months))

t.test('a new database has the months that come, and they are made once', async (t) => {
  const { pool, client, deps, lines } = await opened(t)
  t.same(await monthsHere(pool), ahead)
  const last = ahead.at(-1) as string
  for (const table of historyTableNames) await client.query(`drop table ${partitionOf(table, last)}`)
  await Promise.all([makeMonths(deps), makeMonths(deps), makeMonths(deps)])
  t.same(await monthsHere(pool), ahead)
  const made = await pool.any(sql.unsafe`
    select c.reloptions, (select count(*)::int from pg_index where indrelid = c.oid) as indexes
    from pg_class c where c.relkind = 'r' and c.relname like 'run\\_stacks\\_2%' order by c.relname`)
  t.equal(new Set(made.map((partition) => JSON.stringify(partition))).size, 1, 'like those that the migration made')
  t.same(lines, [])
})

t.test('months are made while there is a leader', async (t) => {
  const { url, pool, client, deps } = await opened(t)
  const leads = Promise.withResolvers<void>()
  const leadership = seekLeadership({ url, log: deps.log, onChange: () => leads.resolve() })
  t.teardown(() => leadership.stop())
  await leads.promise
  const last = ahead.at(-1) as string
  for (const table of historyTableNames) await client.query(`drop table ${partitionOf(table, last)}`)
  await makeMonths(deps)
  t.same(await monthsHere(pool), ahead)
})

t.test('each advisory lock has a key of its own', async (t) => {
  const keys = Object.values(advisoryLocks)
  t.equal(new Set(keys).size, keys.length)
})

const row = (runId: string) => `
  insert into journal (installation_id, kind, run_id, subject_id, seq, event, actor, state_to, actions, at)
  values (1, 'run', '${runId}', '${runId}', 0, '{"type": "x"}', 'test', 'planned', '[]', now());
  insert into check_runs (installation_id, run_id, name, check_run_id, digest) values (1, '${runId}', 'svc/plan', 1, '');`

t.test('rows of a month that nobody made in time are told of, and put into their month', async (t) => {
  const { pool, client, deps, lines } = await opened(t)
  const late = new Date(Date.now() + 400 * 24 * 60 * 60 * 1000)
  const id = `${idAt(late).slice(0, 14)}7abc-8000-000000000001`
  const random = '3b241101-e2bb-4255-8caf-4136c566a962'
  await client.query(row(id) + row(random))
  t.match(await strayRows(pool), { rows: 2, first: id })
  await makeMonths(deps)
  t.match(await strayRows(pool), { rows: 0, first: null })
  const places = await client.query('select tableoid::regclass::text as place, run_id from journal order by 1')
  t.same(places.rows, [
    { place: partitionOf('journal', monthAt(late)), run_id: id },
    { place: 'journal_default', run_id: random },
  ])
  t.match(
    lines.map((line) => JSON.parse(line)),
    [{ level: 'warn', month: monthAt(late), rows: 2 }],
  )
})

t.test('a table that is in use keeps nobody waiting, and its month is made when it is free', async (t) => {
  const { url, pool, client, deps, lines } = await opened(t)
  const last = ahead.at(-1) as string
  for (const table of historyTableNames) await client.query(`drop table ${partitionOf(table, last)}`)
  const holder = new Client({ connectionString: url })
  await holder.connect()
  t.teardown(() => holder.end())
  await holder.query('begin; select from journal_default limit 1')
  await t.rejects(makeMonths(deps), { message: new RegExp(`tables are in use: ${partitionOf('journal', last)}$`) })
  t.same(lines, [], 'the queue tells of it')
  await client.query(row(idAt(new Date())))
  await holder.query('commit')
  await makeMonths(deps)
  t.match(await pool.one(sql.unsafe`select to_regclass(${partitionOf('journal', last)}) is not null as made`), {
    made: true,
  })
})
