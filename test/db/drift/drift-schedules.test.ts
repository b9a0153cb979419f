import t from 'tap'
import {
  claimTick,
  noteDriftSettings,
  setNextDrift,
  takeDueDrift,
  takeUnreadConfigs,
} from '#db/drift/drift-schedules.ts'
import type { Tx } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { openDatabase } from '#test/helpers/open-database.ts'

/* Due checks are found by an index, however many repositories have none due. */

const { pool, client } = await openDatabase(t)

// of 20,000: one in ten has a schedule, one in a thousand is due, and some of these are archived or gone
await client.query(`
  insert into installations (id, account_id, account_login, account_type, suspended_at)
    values (1, 1, 'acme', 'Organization', null), (2, 2, 'idle', 'Organization', now());
  insert into repositories (id, installation_id, owner, name, default_branch, archived, removed_at, config_read_at,
      drift_schedule, drift_next_at)
    select n, 1 + (n % 4000 = 0)::int, 'acme', 'r' || n, 'main', n % 5000 = 1000, case when n % 5000 = 2000 then now() end,
      case when n % 3000 <> 7 then now() end, case when n % 10 = 0 then '0 4 * * *' end,
      case when n % 10 = 0 then timestamptz '2026-01-01T04:00Z' + case when n % 1000 = 0 then '0' else '1 day' end::interval end
    from generate_series(1, 20000) n;
  analyze`)

const now = new Date('2026-01-01T04:00:30Z')

/** The plan of the statement that a function runs. */
const planOf = async (ask: (tx: Tx) => Promise<unknown>): Promise<string> => {
  const asked: { sql: string; values: unknown[] }[] = []
  const noting = { any: async (query: { sql: string; values: unknown[] }) => asked.push(query) && [] } as unknown as Tx
  await ask(noting)
  const [{ sql, values }] = asked as [{ sql: string; values: unknown[] }]
  const text = sql.replaceAll(/\$slonik_(\d+)/g, (_, at) => client.escapeLiteral(String(values[Number(at) - 1])))
  const { rows } = await client.query(`explain ${text}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

t.test('no statement walks over all repositories', async (t) => {
  for (const [index, ask] of [
    ['repositories_drift_due', (tx: Tx) => takeDueDrift(tx, now, 200)],
    ['repositories_config_unread', (tx: Tx) => takeUnreadConfigs(tx, 20)],
  ] as const) {
    const plan = await planOf(ask)
    t.match(plan, index)
    t.notMatch(plan, /Seq Scan on repositories/)
  }
})

t.test('due checks are taken once, the longest due first, whichever instance asks', async (t) => {
  const taken = await transact(pool, async (tx) => {
    const mine = await takeDueDrift(tx, now, 5)
    const theirs = await transact(pool, (other) => takeDueDrift(other, now, 200))
    t.same(
      mine.map(({ id }) => id),
      [3000, 4000, 5000, 8000, 9000],
      'no archived or removed ones',
    )
    t.notOk(theirs.some(({ id }) => mine.some((one) => one.id === id)))
    t.equal(mine.length + theirs.length, 12)
    await setNextDrift(
      tx,
      mine.map(({ id }) => ({ id, drift_next_at: id === 3000 ? null : new Date(+now + 60_000) })),
    )
    return mine
  })
  t.same(
    taken.map(({ served }) => served),
    [true, false, true, false, true],
    'checks of a suspended installation are taken, and marked as not served',
  )
  const left = await transact(pool, (tx) => takeDueDrift(tx, now, 200))
  t.equal(left.length, 7)
  t.equal((await transact(pool, (tx) => takeDueDrift(tx, new Date(+now + 60_000), 200))).length, 11)
})

t.test('configurations that were never read are handed out once', async (t) => {
  const take = () => transact(pool, (tx) => takeUnreadConfigs(tx, 4))
  t.same(
    [...(await take()), ...(await take()), ...(await take())].sort((a, b) => a - b),
    [7, 3007, 6007, 9007, 12007, 15007, 18007],
  )
})

t.test('times noted by a clock that has been put back since no longer count', async (t) => {
  await client.query(
    `update repositories set drift_next_at = '2040-01-01', drift_handled_at = '2040-01-01' where id = 10`,
  )
  const readSaying = (nextAt: string) =>
    noteDriftSettings(
      pool,
      10,
      { schedule: '0 4 * * *', issues: false, plan: false, nextAt: new Date(nextAt) },
      new Date(),
    )
  t.equal(await readSaying('2026-01-02T04:00Z'), true)
  t.equal(await readSaying('2026-01-03T04:00Z'), false, 'a check that is already due is not put off')
  const { rows } = await client.query('select drift_next_at as next from repositories where id = 10')
  t.same(rows, [{ next: new Date('2026-01-02T04:00Z') }])
  const claim = () => transact(pool, (tx) => claimTick(tx, 10, new Date('2026-01-02T04:00Z')))
  t.same([await claim(), await claim()], [true, false])
})
