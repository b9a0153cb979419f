import { type FragmentSqlToken, jsonRows, sql } from './sql.ts'

export type ResultRow = { runId: string; stackId: string; body: object; planText: string | null; at: Date }

/**
 * What jobs reported, as a part of the statement that stores a batch; a late result of an unknown stack takes the place of
 * an earlier one, whose text in the bucket is then not the row's any more.
 */
export const resultsPut = (rows: ResultRow[]): FragmentSqlToken => sql.fragment`
    insert into results (run_id, stack_id, body, plan_text, plan_bytes, plan_hash, reported_at)
    select "runId", "stackId", body, "planText", octet_length("planText"),
      encode(sha256(convert_to("planText", 'UTF8')), 'hex'), at
    from jsonb_to_recordset(${jsonRows(rows)}) as t("runId" uuid, "stackId" uuid, body jsonb, "planText" text, at timestamptz)
    on conflict (run_id, stack_id) do update set body = excluded.body, plan_text = excluded.plan_text,
      plan_bytes = excluded.plan_bytes, plan_hash = excluded.plan_hash, plan_url = null, reported_at = excluded.reported_at`
