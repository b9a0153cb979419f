-- What grows with the stacks of runs is divided by the month of the run, which its id says (version 7 begins with the milliseconds).
-- So old months can be taken away whole, and the indexes that are written stay small. Ids of other versions, and months whose
-- partition was not made in time, are in the default partition. No foreign keys: to make or drop a partition that has one, Postgres
-- locks `runs` for everybody. Rows are written under the lock of their run, and runs and stacks are never deleted.
create sequence journal_entries;
select setval('journal_entries', nextval('journal_entry_seq'));
alter table lock_journal alter column entry set default nextval('journal_entries');

create table new_journal (
  kind text not null constraint journal_kind_check check (kind in ('run', 'stack', 'dispatch')),
  seq integer not null,
  event jsonb not null,
  event_key text,
  actor text not null,
  cause text,
  state_from text,
  state_to text not null,
  actions jsonb not null,
  at timestamptz not null,
  run_id uuid not null,
  entry bigint not null default nextval('journal_entries'),
  subject_id uuid not null
) partition by range (run_id);

create table new_run_stacks (
  run_id uuid not null,
  stack_id uuid not null,
  key text not null,
  path text not null,
  instance text,
  workspace text,
  environment text,
  tool text,
  tool_version text,
  plan_output text not null default 'full',
  wave integer not null,
  reasons text[] not null,
  via text[] not null default '{}',
  status text not null,
  blocked_by text[] not null default '{}',
  snapshot jsonb not null,
  version integer not null,
  seq integer not null,
  started_at timestamptz,
  finished_at timestamptz,
  plan_run_id uuid,
  mode text not null,
  created_at timestamptz not null,
  rev integer not null default 1,
  runs_on text[]
) partition by range (run_id);

create table new_results (like results including defaults) partition by range (run_id);
create table new_checks (like checks including defaults including constraints) partition by range (run_id);
create table new_check_runs (like check_runs including defaults) partition by range (run_id);

create function pg_temp.lowest_id(moment timestamp) returns uuid language sql as
  $$ select rpad(lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid $$;

-- from the month of the first run with such an id to the third that comes
do $$
declare
  month timestamp;
  name text;
  first_at timestamptz := coalesce((
    select to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0) from runs
    where substr(id::text, 15, 1) = '7' order by id limit 1), now());
begin
  foreach name in array array['journal', 'run_stacks', 'results', 'checks', 'check_runs'] loop
    execute format('create table %I partition of %I default', name || '_default', 'new_' || name);
    for month in
      select generate_series(date_trunc('month', first_at at time zone 'UTC'),
        date_trunc('month', now() at time zone 'UTC') + interval '3 months', interval '1 month')
    loop
      execute format('create table %I partition of %I for values from (%L) to (%L)', name || to_char(month, '_YYYY_MM'),
        'new_' || name, pg_temp.lowest_id(month), pg_temp.lowest_id(month + interval '1 month'));
    end loop;
    execute format('insert into %I select * from %I', 'new_' || name, name);
    execute format('drop table %I', name);
    execute format('alter table %I rename to %I', 'new_' || name, name);
  end loop;
  -- room for a row's next versions beside it
  for name in select inhrelid::regclass::text from pg_inherits where inhparent = 'run_stacks'::regclass loop
    execute format('alter table %s set (fillfactor = 70)', name);
  end loop;
end $$;

alter table journal add primary key (run_id, subject_id, seq);
-- an event that carries a key is applied once
create unique index journal_event_key on journal (run_id, subject_id, event_key) where event_key is not null;
create index journal_run on journal (run_id, entry);

alter table run_stacks add primary key (run_id, stack_id), add unique (run_id, key);
create index run_stacks_history on run_stacks (stack_id, created_at desc, run_id desc);
create index run_stacks_of_mode on run_stacks (stack_id, mode, created_at desc, run_id desc);

alter table results add primary key (run_id, stack_id);
create index results_with_text on results (reported_at) where plan_text is not null;

alter table checks add primary key (run_id, stack_id, name);
alter table check_runs add primary key (run_id, name);
