import type { Client } from 'pg'
import t from 'tap'
import { movedTable, movedTableNames } from '#db/moving/moved-tables.ts'
import { numbered } from '#db/moving/put-rows.ts'
import { openDatabase } from '#test/helpers/open-database.ts'
import { tenantTables } from '#test/scenes/divided.ts'

const { client } = await openDatabase(t)

/** Tables that stay, and why. */
const tablesThatStay: Readonly<Record<string, string>> = {
  api_keys: 'a key sees every repository of its service: each service has its own',
  archived_months: 'says of all installations together what is in the bucket; each archived run says it of itself',
  migrations: 'is about the schema, and compared before anything is moved',
  scheduled_ticks: "is about the service's own schedule",
  sessions: 'people sign in at the service that they use',
  setup_states: 'is about making an app',
}

const names = async (text: string): Promise<string[]> =>
  (await client.query<{ name: string }>(text)).rows.map(({ name }) => name)

/** What of the schema is on neither list, or on the wrong one. */
const misplaced = async (of: Client): Promise<string[]> => {
  const all = await names(`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`)
  const moved: readonly string[] = movedTableNames
  const listed = [...moved, ...Object.keys(tablesThatStay)]
  return [
    ...all.filter((name) => !listed.includes(name)).map((name) => `${name} is on no list`),
    ...listed.filter((name) => !all.includes(name)).map((name) => `${name} is no table`),
    ...[...(await tenantTables(of)), 'repositories']
      .filter((name) => !moved.includes(name))
      .map((name) => `${name} has an installation's rows and stays`),
  ]
}

t.test('every table moves with an installation, or stays for a reason', async (t) => {
  t.same(await misplaced(client), [])
  t.ok(Object.values(tablesThatStay).every((reason) => reason.length > 20))
})

t.test('a new table of an installation that is not moved would be found', async (t) => {
  await client.query('begin; create table later (installation_id bigint not null)')
  t.same(await misplaced(client), ['later is on no list', "later has an installation's rows and stays"])
  await client.query('rollback')
})

t.test('what is referred to comes first', async (t) => {
  const { rows } = await client.query<{ from: string; to: string; name: string }>(`
    select conrelid::regclass::text as from, confrelid::regclass::text as to, conname as name from pg_constraint
    where contype = 'f' and conparentid = 0`)
  t.ok(rows.length > 20)
  const place = (table: string) => (movedTableNames as readonly string[]).indexOf(table)
  for (const { from, to, name } of rows) {
    if (from === to) t.ok(movedTable(movedTableNames[place(from)]!).order, `${name}: within the table, too`)
    else t.ok(place(to) < place(from), name)
  }
})

t.test('every number that rows have from a sequence is set right, or given anew', async (t) => {
  const anew = movedTableNames.flatMap((table) => {
    const column = movedTable(table).numberedThere
    return column === undefined ? [] : [{ table, column, sequence: `${table}_${column}_seq` }]
  })
  const all = [...numbered, ...anew]
  const sequences = await names(`select relname as name from pg_class where relkind = 'S' order by 1`)
  t.same([...new Set(all.map(({ sequence }) => sequence))].sort(), sequences)
  const columns = await names(`
    select a.attrelid::regclass || '.' || a.attname as name from pg_attribute a
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and not a.attisdropped
      and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like '%nextval%') order by 1`)
  t.same(all.map(({ table, column }) => `${table}.${column}`).sort(), columns)
})
