import { z } from 'zod'
import { sql, type Tx } from './sql.ts'

export type ResultRow = { runId: string; stackId: string; body: object; planText: string | null; at: Date }

/** Stores what jobs reported; a late result of an unknown stack takes the place of an earlier one. */
export const putResults = async (tx: Tx, rows: ResultRow[]): Promise<void> => {
  if (rows.length === 0) return
  await tx.query(sql.type(z.object({}))`
    insert into results (run_id, stack_id, body, plan_text, reported_at)
    select * from ${sql.unnest(
      rows.map((row) => [row.runId, row.stackId, JSON.stringify(row.body), row.planText, row.at.toISOString()]),
      ['uuid', 'uuid', 'jsonb', 'text', 'timestamptz'],
    )}
    on conflict (run_id, stack_id) do update set body = excluded.body, plan_text = excluded.plan_text,
      reported_at = excluded.reported_at`)
}
