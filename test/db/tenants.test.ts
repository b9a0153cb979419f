import { readFile } from 'node:fs/promises'
import { Client, DatabaseError } from 'pg'
import t from 'tap'
import { testDatabase } from '#test/helpers/database.ts'
import { startWorld } from '#test/helpers/world.ts'
import { comment, newestRun, planned } from '#test/scenes/commenting.ts'
import { dispatched, dispatchedJob, withWorkflow } from '#test/scenes/dispatched.ts'
import { divideByInstallation, tenantTables } from '#test/scenes/divided.ts'
import { addKey, query, send } from '#test/scenes/scene.ts'

type Statement = { text: string; values: readonly unknown[] }

const { url } = await testDatabase(t)
const client = new Client({ connectionString: url })
await client.connect()
t.teardown(() => client.end())

/** What is about all installations by nature: what is due, what a worker takes, and where something is of which only the id is known. */
const aboutAll = [
  /^\s*select distinct installation_id from/,
  /from runs r where true and r\.id = \$1$/,
  // what is next to a stack may be another repository's of the same account
  /^\s*select distinct n\.id, p\.full_name as repo/,
  /from timers where due_at/,
  /^\s*with (recursive\s+(lanes|parties)|free|gone|failed)\b/,
  /^\s*select queue, state, count/,
  /from sessions|from api_keys|used_tokens/,
]

/**
 * The parts of tables that a statement opens with these values; it is played and taken back. What it adds is there since it was
 * played first: then `without` these rows.
 */
const partsOf = async (statement: Statement, without: readonly string[] = []): Promise<string[]> => {
  const { text, values } = statement
  await client.query(`begin; set local session_replication_role = replica`)
  try {
    for (const table of without) await client.query(`delete from ${table}`)
    const { rows } = await client.query(`explain (analyze, costs off, timing off, summary off, buffers off) ${text}`, [
      ...values,
    ])
    const lines = rows.map((row) => row['QUERY PLAN']).filter((line) => !line.includes('never executed'))
    return [...new Set(lines.flatMap((line) => [...line.matchAll(/\b[a-z_]+_part_(\d)\b/g)].map(([, part]) => part)))]
  } catch (error) {
    const isThere = error instanceof DatabaseError && error.code === '23505' ? error.table : undefined
    if (isThere === undefined || without.includes(isThere)) throw error
    await client.query('rollback')
    return await partsOf(statement, [...without, isThere])
  } finally {
    await client.query('rollback')
  }
}

const isAboutOne = ({ text }: Statement): boolean =>
  /^\s*(select|with|insert|update|delete)\b/.test(text) && !aboutAll.some((one) => one.test(text))

t.test('every table can be divided by the installation, and a statement of a story opens one part of it', async (t) => {
  await divideByInstallation(client)
  const heard: Statement[] = []
  const seam = (step: string, values: readonly unknown[] = []) => {
    if (step.startsWith('before '))
      heard.push({ text: step.slice('before '.length).replaceAll('$slonik_', '$'), values })
  }
  const world = await startWorld(t, {
    ...{ databaseUrl: url, replaced: { seam } },
    files: { ...withWorkflow, 'svc.yml': '{ version: 1, apply: { approvals: 0 } }\n' },
  })
  for (const login of ['ada', 'rob']) world.repository.setPermission(login, 'write')
  const key = await addKey(world)
  await world.settled()
  heard.length = 0
  const { pull } = await planned(world, ['a', 'b'])
  await comment(world, pull, 'svc apply')
  const applyId = await newestRun(world, pull, 'apply')
  const job = dispatchedJob(world, (await dispatched(world, applyId)).play(), 'default')
  for (const stack of ['a', 'b']) t.match(await job.report(applyId, stack), { status: 200 })
  await world.settled()
  const [stack] = await query(world, `select id from stacks where key = 'a'`)
  t.match(await send(world, key, `/v1/stacks/${stack?.id}`), { status: 200, body: { status: 'applied' } })

  const statements = [...new Map(heard.filter(isAboutOne).map((one) => [one.text, one])).values()]
  t.ok(statements.length > 60, `${statements.length} different statements`)
  const opened = new Set<string>()
  for (const statement of statements) {
    const parts = await partsOf(statement)
    for (const part of parts) opened.add(part)
    t.ok(parts.length <= 1, `${parts} ${statement.text.replaceAll(/\s+/g, ' ').slice(0, 300)}`)
  }
  t.equal(opened.size, 1, 'the same part of every table')
})

t.test('every key and reference of such a table begins with the installation', async (t) => {
  const { rows } = await client.query(
    `
    select c.conrelid::regclass || ' ' || c.conname as name from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype in ('p', 'u', 'f') and c.conrelid::regclass::text = any($1) and a.attname <> 'installation_id'`,
    [await tenantTables(client)],
  )
  t.same(rows, [])
})

t.test('deploy/citus.sql names every table of an installation', async (t) => {
  const text = await readFile(new URL('../../deploy/citus.sql', import.meta.url), 'utf8')
  const named = [...text.matchAll(/create_distributed_table\('(\w+)', 'installation_id'/g)].map(([, name]) => name)
  t.same(named.toSorted(), await tenantTables(client))
})
