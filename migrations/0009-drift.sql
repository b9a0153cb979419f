-- Drift checks: when they are due, what each found, and the state of each stack by them.

alter table repositories
  -- from svc.yml on the default branch, as last read; null: no checks
  add column drift_schedule text,
  add column drift_issues boolean not null default false,
  -- the next minute that the schedule names
  add column drift_next_at timestamptz,
  -- the newest tick acted on: a job that runs again after a crash finds it, and does not check twice
  add column drift_handled_at timestamptz,
  -- when the configuration was last read, by the database's clock; null: not since the repository was added here
  add column config_read_at timestamptz;
create index repositories_drift_due on repositories (drift_next_at, id)
  where drift_next_at is not null and removed_at is null and not archived;
create index repositories_config_unread on repositories (id)
  where config_read_at is null and removed_at is null and not archived;

-- Never two at once, whatever the clocks and the leaders think.
create unique index runs_drift_open on runs (repo_id) where mode = 'drift' and status in ('pending', 'planning');

-- The state of a stack by its newest conclusive check: one row for each stack that was ever checked, so lists and counts need
-- not search many checks for the newest.
create table drift_states (
  stack_id uuid primary key references stacks (id),
  repo_id bigint not null references repositories (id),
  run_id uuid not null references runs (id),
  drifted boolean not null,
  checked_at timestamptz not null,
  -- the first check in the unbroken series of checks that found drift
  drifted_since timestamptz
);
create index drift_states_drifted on drift_states (repo_id, stack_id) where drifted;
insert into drift_states
  select stack_id, repo_id, run_id, drifted, checked_at, case when drifted then checked_at end from drift_checks;

-- The history: each check of a stack. `drifted` is null if the check was inconclusive: it failed, or its end was not seen.
drop index drift_checks_drifted;
alter table drift_checks
  drop constraint drift_checks_pkey,
  drop column repo_id,
  alter column drifted drop not null,
  add primary key (stack_id, run_id);
create index drift_checks_newest on drift_checks (stack_id, checked_at desc, run_id desc);
create index drift_checks_age on drift_checks (checked_at, stack_id, run_id);
