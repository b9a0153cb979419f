import { z } from 'zod'
import { sql, type Tx } from './sql.ts'

export type AuditRow = { at: Date; actor: string; action: string; target: string; details: Record<string, unknown> }

export const addAudit = async (tx: Tx, rows: AuditRow[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.query(sql.type(z.object({}))`
    insert into audit (at, actor, action, target, details)
    select * from ${sql.unnest(
      rows.map((row) => [row.at.toISOString(), row.actor, row.action, row.target, JSON.stringify(row.details)]),
      ['timestamptz', 'text', 'text', 'text', 'jsonb'],
    )}`)
}
