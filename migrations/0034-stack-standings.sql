-- How each stack stands: its status in the newest run that has it, and what became of its newest plan and apply. Kept by the
-- transitions of those rows, so that no page looks for them among the rows of all runs, which may be old, and gone.
create table stack_standings (
  stack_id uuid primary key references stacks (id),
  repo_id bigint not null references repositories (id),
  -- as its stack's: only listed ones are counted
  listed boolean not null default false,
  status text,
  run_id uuid,
  run_at timestamptz,
  -- as the API shows them, and when their runs were made
  last_plan jsonb,
  plan_at timestamptz,
  last_apply jsonb,
  apply_at timestamptz
) with (fillfactor = 70);

insert into stack_standings (stack_id, repo_id, listed, status, run_id, run_at)
select s.id, s.repo_id, s.listed, x.status, x.run_id, x.created_at
from stacks s left join lateral (
  select status, run_id, created_at from run_stacks where stack_id = s.id order by created_at desc, run_id desc limit 1) x on true;
-- of rows that ended by themselves
update stack_standings n set last_plan = x.ref, plan_at = x.created_at
from (
  select distinct on (x.stack_id) x.stack_id, x.created_at, jsonb_build_object('run_id', x.run_id, 'sha', r.sha,
    'pr_number', r.pr_number, 'mode', x.mode, 'status', x.status, 'summary', t.body->'summary', 'started_at', to_char(x.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'finished_at', to_char(x.finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'job_url', t.body->>'job_url') as ref
  from run_stacks x join runs r on r.id = x.run_id left join results t on t.run_id = x.run_id and t.stack_id = x.stack_id
  where x.mode = 'plan' and x.status in ('planned', 'noop', 'failed', 'unconfirmed', 'unknown')
  order by x.stack_id, x.created_at desc, x.run_id desc) x
where x.stack_id = n.stack_id;
update stack_standings n set last_apply = x.ref, apply_at = x.created_at
from (
  select distinct on (x.stack_id) x.stack_id, x.created_at, jsonb_build_object('run_id', x.run_id, 'sha', r.sha,
    'pr_number', r.pr_number, 'mode', x.mode, 'status', x.status, 'summary', t.body->'summary', 'started_at', to_char(x.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'finished_at', to_char(x.finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'job_url', t.body->>'job_url') as ref
  from run_stacks x join runs r on r.id = x.run_id left join results t on t.run_id = x.run_id and t.stack_id = x.stack_id
  where x.mode = 'apply' and x.status in ('applied', 'noop', 'failed', 'unconfirmed', 'unknown')
  order by x.stack_id, x.created_at desc, x.run_id desc) x
where x.stack_id = n.stack_id;

-- How many listed stacks there are by status, as runs are counted: changes are rows, folded in each minute.
create table stack_counts (
  repo_id bigint not null references repositories (id),
  status text not null,
  stacks bigint not null,
  primary key (repo_id, status)
);
insert into stack_counts
select repo_id, status, count(*) from stack_standings where listed and status is not null group by repo_id, status;
create table stack_count_changes (
  repo_id bigint not null,
  status text not null,
  change integer not null
);

-- a stack's rows were found by it alone, for what its standing says
drop index run_stacks_history;
