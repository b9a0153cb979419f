import { Client } from 'pg'
import t from 'tap'
import { z } from 'zod'
import { createPool } from '#db/pool.ts'
import { sql } from '#db/sql.ts'
import { testLog as log, startInstance } from '#test/helpers/instance.ts'
import { startWorld } from '#test/helpers/world.ts'
import { comment } from '#test/scenes/commenting.ts'
import { openPull } from '#test/scenes/scene.ts'

/** As somebody may have set them for other programs of the same database. */
const foreign = {
  array_nulls: 'off',
  DateStyle: 'German, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Asia/Kathmandu',
  bytea_output: 'escape',
  default_transaction_isolation: 'serializable',
  extra_float_digits: '-15',
  statement_timeout: '1s',
  transform_null_equals: 'on',
}

const set = async (url: string, settings: Readonly<Record<string, string>>): Promise<void> => {
  const client = new Client(url)
  await client.connect()
  const database = client.escapeIdentifier(new URL(url).pathname.slice(1))
  for (const [name, value] of Object.entries(settings)) {
    await client.query(`alter database ${database} set ${name} = ${client.escapeLiteral(value)}`)
  }
  await client.end()
}

t.test('in a database with settings made for others, a comment is answered', async (t) => {
  const world = await startWorld(t)
  await world.service.stop()
  await set(world.env.DATABASE_URL as string, foreign)
  const service = await startInstance(t, world.env)
  world.github.setWebhookUrl(`${service.url}/webhooks/codehost`)
  world.repository.setPermission('rob', 'write')
  const pull = await openPull(world, {})
  const { answers } = await comment(world, pull, 'svc help')
  t.match(answers, [/svc plan/])
  t.equal((await fetch(`${service.url}/readyz`)).status, 200)
})

t.test('each connection of the pool has the settings that statements rely on, and its limits', async (t) => {
  const world = await startWorld(t)
  const url = world.env.DATABASE_URL as string
  await set(url, foreign)
  const pool = await createPool(url, { log })
  t.teardown(() => pool.end())
  const Row = z.record(z.string(), z.string())
  const names = [
    ...['array_nulls', 'DateStyle', 'TimeZone', 'default_transaction_isolation', 'statement_timeout'],
    'transform_null_equals',
  ]
  const shown = await pool.one(sql.type(Row)`
    select ${sql.join(
      names.map((name) => sql.fragment`current_setting(${name}) as ${sql.identifier([name])}`),
      sql.fragment`, `,
    )}`)
  t.same(shown, {
    array_nulls: 'on',
    DateStyle: 'ISO, MDY',
    TimeZone: 'UTC',
    default_transaction_isolation: 'read committed',
    statement_timeout: '30s',
    transform_null_equals: 'off',
  })
})
