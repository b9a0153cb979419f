import type { KeptResult } from '#domain/result.ts'
import { type FragmentSqlToken, jsonTexts, sql } from '../sql.ts'
import type { Tenant } from '../tenant.ts'

export type ResultRow = {
  run_id: string
  stack_id: string
  body: KeptResult
  plan_text: string | null
  reported_at: Date
}

/**
 * What jobs reported, as a part of the statement that stores a batch. A late result of an unknown stack replaces the earlier
 * one; the row then no longer points to that one's text in the bucket.
 */
export const resultsPut = (rows: ResultRow[], { installationId }: Tenant): FragmentSqlToken => sql.fragment`
    insert into results (installation_id, run_id, stack_id, body, plan_text, plan_bytes, plan_hash, reported_at)
    select ${installationId}::int8, run_id, stack_id, body, plan_text, octet_length(plan_text),
      sha256(convert_to(plan_text, 'UTF8')), reported_at
    from json_to_recordset(${jsonTexts(rows)}) as t(run_id uuid, stack_id uuid, body json, plan_text text, reported_at timestamptz)
    on conflict (installation_id, run_id, stack_id) do update set body = excluded.body, plan_text = excluded.plan_text,
      plan_bytes = excluded.plan_bytes, plan_hash = excluded.plan_hash, plan_url = null, plan_removed_at = null,
      reported_at = excluded.reported_at`
