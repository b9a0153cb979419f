import { z } from 'zod'
import { type Reader, sql, type Tx } from '../sql.ts'

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

export const addAudit = async (tx: Tx, rows: AuditRow[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.query(sql.type(z.object({}))`
    insert into audit (at, actor, actor_id, action, target, details)
    select * from ${sql.unnest(
      rows.map((row) => [
        row.at.toISOString(),
        row.actor,
        row.actor_id,
        row.action,
        row.target,
        JSON.stringify(row.details),
      ]),
      ['timestamptz', 'text', 'int8', 'text', 'text', 'jsonb'],
    )}`)
}

/** Notes an invalid configuration of the default branch, once for each commit. */
export const addConfigInvalid = async (
  db: Reader,
  row: { at: Date; target: string; details: { sha: string } & Record<string, unknown> },
): Promise<void> => {
  await db.query(sql.type(z.object({}))`
    insert into audit (at, actor, action, target, details)
    values (${row.at.toISOString()}, 'system', 'config_invalid', ${row.target}, ${JSON.stringify(row.details)}::jsonb)
    on conflict (target, (details->>'sha')) where action = 'config_invalid' do nothing`)
}
