/** What the floor answers to a result. */
export type ReportRow = { key: string; status: string; finished_at: Date; result: object }

export const resultStatements = {
  claim: `insert into used_tokens (jti_hash, expires_at)
    select hash, now() + interval '11 minutes' from unnest($1::text[]) as t(hash)
    on conflict do nothing returning jti_hash`,
  runs: 'select id, seq, rev, snapshot, created_at from runs where installation_id = 1 and id = any($1::uuid[]) order by id for no key update',
  stacks: `select s.run_id, s.stack_id, s.key, s.seq
    from unnest($1::uuid[], $2::text[]) as t(run_id, key)
      join runs r on r.installation_id = 1 and r.id = t.run_id
      join stacks k on k.installation_id = 1 and k.repo_id = r.repo_id and k.key = t.key
      join run_stacks s on s.installation_id = 1 and s.run_id = t.run_id and s.stack_id = k.id`,
  save: `with runs_counted as (
      insert into run_count_changes (installation_id, repo_id, status, change)
      select 1, r.repo_id, c.status, c.change from jsonb_to_recordset($1::jsonb) as t(id uuid, status text)
      join runs r on r.installation_id = 1 and r.id = t.id and r.status <> t.status
      cross join lateral (values (r.status, -1), (t.status, 1)) as c(status, change)),
    standing as (
      select n.stack_id, n.repo_id, n.listed, n.status as status_before, t.run_id, t.run_at, t.status
      from jsonb_to_recordset($2::jsonb) as t(run_id uuid, stack_id uuid, status text, run_at timestamptz)
      cross join lateral (
        select * from stack_standings where installation_id = 1 and stack_id = t.stack_id limit 1 for no key update) n
      where (t.run_at, t.run_id) >= (n.run_at, n.run_id)),
    stood as (
      insert into stack_standings (installation_id, stack_id, repo_id, listed, status, run_id, run_at, plan_run_id, plan_at)
      select distinct on (stack_id) 1, stack_id, repo_id, listed, status, run_id, run_at, run_id, run_at from standing
      order by stack_id, run_at desc, run_id desc
      on conflict (installation_id, stack_id) do update set status = excluded.status, run_id = excluded.run_id,
        run_at = excluded.run_at, plan_run_id = excluded.plan_run_id, plan_at = excluded.plan_at),
    stacks_counted as (
      insert into stack_count_changes (installation_id, repo_id, status, change)
      select 1, b.repo_id, c.status, sum(c.change) from standing b
      cross join lateral (values (b.status_before, -1), (b.status, 1)) as c(status, change)
      where b.listed and b.status is distinct from b.status_before group by 2, 3 having sum(c.change) <> 0),
    runs_saved as (
      update runs r set seq = t.seq, rev = t.rev, snapshot = t.snapshot, status = t.status,
        finished_at = case t.status when 'planned' then $6::timestamptz end
      from jsonb_to_recordset($1::jsonb) as t(id uuid, seq int4, rev int4, snapshot jsonb, status text)
      where r.installation_id = 1 and r.id = t.id),
    stacks_saved as (
      update run_stacks s set seq = t.seq, rev = t.rev, digest = t.digest, status = t.status, finished_at = $6
      from jsonb_to_recordset($2::jsonb) as t(run_id uuid, stack_id uuid, seq int4, rev int4, digest text, status text)
      where s.installation_id = 1 and s.run_id = t.run_id and s.stack_id = t.stack_id),
    journalled as (
      insert into journal (installation_id, kind, run_id, subject_id, seq, event, actor, state_from, state_to, actions, at)
      select 1, t.* from json_to_recordset($3::json) as t(kind text, run_id uuid, subject_id uuid, seq int4, event json,
        actor text, state_from text, state_to text, actions json, at timestamptz)),
    reported as (
      insert into results (installation_id, run_id, stack_id, body, plan_text, plan_bytes, plan_hash, reported_at)
      select 1, t.*, octet_length(plan_text), sha256(convert_to(plan_text, 'UTF8')), $6
      from json_to_recordset($4::json) as t(run_id uuid, stack_id uuid, body json, plan_text text)
      on conflict (installation_id, run_id, stack_id) do update set body = excluded.body, plan_text = excluded.plan_text,
        plan_bytes = excluded.plan_bytes, plan_hash = excluded.plan_hash)
    insert into jobs (installation_id, queue, kind, key, lane, payload)
    select 1, 'jobs', 'publish_run', t.key, 'installation 1', t.payload
    from jsonb_to_recordset($5::jsonb) as t(key text, payload jsonb)
    on conflict (installation_id, kind, key) where state = 'queued' and key is not null do update set cause = excluded.cause`,
}
