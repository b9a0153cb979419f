import { type FragmentSqlToken, nothing, type Reader, sql, type Tx } from '../sql.ts'
import { tenantOf } from '../tenant.ts'

export type AuditRow = {
  at: Date
  /** As it was called then. */
  actor: string
  /** The code host's number of a person's account, which keeps its number when its name changes hands. */
  actor_id: number | null
  action: string
  target: string
  details: Record<string, unknown>
}

/** Whose an entry `t` is: of whom the transaction is about, or else of the repository that it names; or nobody's. */
const owner = (db: Reader): FragmentSqlToken => {
  const said = tenantOf(db)
  if (said !== undefined) return sql.fragment`${said}::int8`
  return sql.fragment`coalesce((
    select r.installation_id from repositories r
    where lower(r.full_name) = lower(coalesce(t.details->>'repo', substring(t.target
      from '^(?:[a-z_]+:)?([A-Za-z0-9_-]+/[A-Za-z0-9._-]+)')))
    order by r.removed_at is not null limit 1), 0)`
}

export const addAudit = async (tx: Tx, rows: AuditRow[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.query(sql.type(nothing)`
    insert into audit (at, actor, actor_id, action, target, details, installation_id)
    select t.*, ${owner(tx)} from ${sql.unnest(
      rows.map((row) => [
        row.at.toISOString(),
        row.actor,
        row.actor_id,
        row.action,
        row.target,
        JSON.stringify(row.details),
      ]),
      ['timestamptz', 'text', 'int8', 'text', 'text', 'jsonb'],
    )} as t(at, actor, actor_id, action, target, details)`)
}

/** Notes an invalid configuration of the default branch, once for each commit. */
export const addConfigInvalid = async (
  db: Reader,
  row: { at: Date; target: string; details: { sha: string } & Record<string, unknown> },
): Promise<void> => {
  await db.query(sql.type(nothing)`
    insert into audit (at, actor, action, target, details, installation_id)
    select t.*, ${owner(db)}
    from (select ${row.at.toISOString()}::timestamptz, 'system', 'config_invalid', ${row.target}::text, ${JSON.stringify(row.details)}::jsonb)
      as t(at, actor, action, target, details)
    on conflict (installation_id, target, (details->>'sha')) where action = 'config_invalid' do nothing`)
}
