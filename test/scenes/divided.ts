import type { Client } from 'pg'

/** How many parts each table gets: an installation is in one of them, the same in all tables. */
const parts = 4

/** Tables of the schema whose rows are an installation's, partitions aside. */
export const tenantTables = async (client: Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'installation_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> 'repositories' order by 1`)
  return rows.map(({ name }) => name)
}

/**
 * Divides every table of an empty database by the installation, as the schema has it: with its columns, keys, indexes and
 * references. That this can be done shows that every key begins with whose a row is.
 */
export const divideByInstallation = async (client: Client): Promise<string[]> => {
  const tables = await tenantTables(client)
  const { rows: references } = await client.query<{ of: string; name: string; text: string }>(
    `
    select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as text from pg_constraint
    where contype = 'f' and conrelid::regclass::text = any($1)`,
    [tables],
  )
  for (const { of, name } of references) await client.query(`alter table ${of} drop constraint "${name}"`)
  for (const table of tables) {
    await client.query(`create table divided (like ${table} including all) partition by hash (installation_id)`)
    for (let part = 0; part < parts; part++)
      await client.query(
        `create table ${table}_part_${part} partition of divided for values with (modulus ${parts}, remainder ${part})`,
      )
    await client.query(`drop table ${table}`)
    await client.query(`alter table divided rename to ${table}`)
  }
  for (const { of, text } of references) await client.query(`alter table ${of} add ${text}`)
  return tables
}
