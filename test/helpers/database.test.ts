import { spawnSync } from 'node:child_process'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { applicationEnv } from '#test/helpers/application-env.ts'
import { testDatabase } from '#test/helpers/database.ts'

const connect = async (t: Test, url: string) => {
  const client = new Client(url)
  await client.connect()
  t.teardown(() => client.end())
  return client
}

t.test('a test database is migrated and belongs to its test alone', async (t) => {
  const [one, two] = await Promise.all([testDatabase(t), testDatabase(t)])
  const [a, b] = await Promise.all([connect(t, one.url), connect(t, two.url)])
  await a.query(`insert into installations (id, account_id, account_login, account_type) values (1, 1, 'acme', 'User')`)
  t.same((await b.query('select id from installations')).rows, [])
})

t.test('a test that fails leaves its database under the name of its file', async (t) => {
  const { url } = await testDatabase(t)
  const failing = new URL('../fixtures/failing-with-database.ts', import.meta.url).pathname
  const { status, stdout } = spawnSync(process.execPath, [failing], { encoding: 'utf8', env: applicationEnv() })
  t.equal(status, 1)
  t.match(stdout, 'the database of this test is kept: failed-failing-with-database.ts')
  const client = await connect(t, url)
  const { rows } = await client.query(`select datname from pg_database where datname like 'failed-failing%'`)
  t.same(rows, [{ datname: 'failed-failing-with-database.ts' }])
})
