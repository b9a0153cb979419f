import { readFile } from 'node:fs/promises'
import { Client } from 'pg'
import t from 'tap'
import { type FragmentSqlToken, literals, sql } from '#db/sql.ts'
import { schemaFile } from '#dev/schema.ts'
import { openPlanStatuses, openStatuses } from '#domain/run-status.ts'
import { testDatabase } from '#test/helpers/database.ts'

t.test('partial indexes of runs cover exactly the statuses that statements ask for', async (t) => {
  const indexes = (await readFile(schemaFile, 'utf8')).split('\n').filter((line) => /^CREATE .*INDEX runs_/.test(line))
  const found = indexes.flatMap((line) => {
    const [, name = '', states = ''] = /INDEX (\w+) .*status = ANY \(ARRAY\[(.*?)\]\)/.exec(line) ?? []
    return name === '' ? [] : [[name, [...states.matchAll(/'(\w+)'/g)].map(([, state]) => state)]]
  })
  t.same(Object.fromEntries(found), {
    runs_drift_open: openPlanStatuses,
    runs_propagated: openPlanStatuses,
    runs_unfinished: openStatuses,
  })
})

t.test('a prepared statement uses them', async (t) => {
  const client = new Client({ connectionString: (await testDatabase(t)).url })
  await client.connect()
  t.teardown(() => client.end())
  await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan')
  let prepared = 0
  const indexOf = async (where: FragmentSqlToken): Promise<string> => {
    const { sql: text, values } = sql.fragment`select id from runs where ${where}`
    const name = `s${++prepared}`
    await client.query(`prepare ${name} as ${text.replaceAll('$slonik_', '$')}`)
    const given = values.map(() => 'null').join(', ')
    const { rows } = await client.query(`explain execute ${name} ${given && `(${given})`}`)
    return /(?:using|on) (runs_\w+)/.exec(rows.map((row) => row['QUERY PLAN']).join('\n'))?.[1] ?? 'none'
  }
  const drift = sql.fragment`repo_id = ${1} and mode = 'drift'`
  t.equal(await indexOf(sql.fragment`${drift} and status in ${literals(openPlanStatuses)}`), 'runs_drift_open')
  t.equal(await indexOf(sql.fragment`repo_id = ${1} and status in ${literals(openStatuses)}`), 'runs_unfinished')
  const asParameter = sql.fragment`${drift} and status = any(${sql.array([...openPlanStatuses], 'text')})`
  t.not(await indexOf(asParameter), 'runs_drift_open', 'and no statement passes the statuses as a parameter')
})

t.test('a literal stays a literal, whatever it contains', async (t) => {
  const { sql: text, values } = literals(["o'clock", 'a\\b'])
  t.same(values, [])
  const client = new Client({ connectionString: (await testDatabase(t)).url })
  await client.connect()
  t.teardown(() => client.end())
  const { rows } = await client.query(`select 'o''clock' in ${text} as one, E'a\\\\b' in ${text} as other`)
  t.same(rows, [{ one: true, other: true }])
})
