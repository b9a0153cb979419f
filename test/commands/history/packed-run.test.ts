import t from 'tap'
import { checkPacked, packRun, unpackRun } from '#commands/history/packed-run.ts'
import { restoreRows } from '#db/history/restored-rows.ts'
import { sql } from '#db/sql.ts'
import { idAt } from '#domain/month.ts'
import { longestTurn } from '#test/helpers/longest-turn.ts'
import { openDatabase } from '#test/helpers/open-database.ts'

const { pool, client } = await openDatabase(t)
const runId = `${idAt(new Date()).slice(0, 14)}7abc-8000-000000000001`
const rows = 20_000
await client.query(`
  insert into installations (id, account_id, account_login, account_type) values (1, 1, 'acme', 'Organization');
  insert into repositories (id, installation_id, owner, name, default_branch) values (1, 1, 'acme', 'infra', 'main');
  insert into runs (installation_id, id, repo_id, sha, mode, trigger, requested_by, status, snapshot, version, seq, created_at)
    values (1, '${runId}', 1, 'x', 'plan', 'pull_request', 'ada', 'planned', '{}', 1, 1, now());
  insert into journal (installation_id, kind, run_id, subject_id, seq, event, actor, state_to, actions, at)
    select 1, 'run', '${runId}', '${runId}', i, jsonb_build_object('type', repeat(md5(i::text), 45)), 'test', 'planned', '[]', now()
    from generate_series(1, ${rows}) i;
  analyze journal`)
const packed = await packRun(pool, runId)

t.test('a large run is read back with turns of others between its rows', async (t) => {
  const longest = longestTurn()
  await checkPacked(packed.body, packed)
  await restoreRows(pool, runId, async () => () => unpackRun(packed.body, packed))
  const ms = longest()
  t.ok(ms < 20, `${Math.round(ms)} ms`)
  const restored = await client.query('select count(*)::int as rows from public_restored.journal')
  t.same(restored.rows, [{ rows }])
})

t.test('what is in the bucket must be what was written, with all its rows', async (t) => {
  const spoilt = Buffer.from(packed.body)
  spoilt[spoilt.length - 9] = (spoilt[spoilt.length - 9] ?? 0) ^ 1
  await t.rejects(checkPacked(spoilt, packed), /not those that were written/)
  const more = { ...packed, rows: { ...packed.rows, results: 1 } }
  await t.rejects(checkPacked(packed.body, more), /has 0 rows of results, not 1/)
  await pool.query(sql.unsafe`update public_restored.runs_restored set at = now() - interval '2 hours'`)
  const restoring = restoreRows(pool, runId, async () => () => unpackRun(packed.body, more))
  await t.rejects(restoring, /has 0 rows of results, not 1/)
})

t.test('every row is packed once, in its order, whatever page it is on', async (t) => {
  await client.query(`
    insert into checks (installation_id, run_id, stack_id, name, status, updated_at)
      select 1, '${runId}', ('00000000-0000-4000-8000-' || lpad((i / 3)::text, 12, '0'))::uuid, 'check ' || i % 3, 'pass', now()
      from generate_series(0, 1000) i`)
  const { body, hash, rows } = await packRun(pool, runId)
  t.equal(rows.checks, 1001)
  const places: string[] = []
  for await (const { table, row } of unpackRun(body, { hash, rows })) {
    const { stack_id, name } = JSON.parse(row)
    if (table === 'checks') places.push(`${stack_id} ${name}`)
  }
  t.same(places, [...new Set(places)].toSorted())
})
