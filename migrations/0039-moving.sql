-- Since when the service takes nothing more for an installation, because it is being moved to another service; it counts as suspended.
alter table installations add column paused_at timestamptz;

-- Whether the rows of the run are in the bucket alone. A month says that of its own runs, and not of those that came from another service.
alter table archived_runs add column dropped boolean not null default false;
update archived_runs a set dropped = true from archived_months m
where m.dropped_at is not null and m.month = to_char(
  to_timestamp(('x' || translate(left(a.run_id::text, 13), '-', ''))::bit(48)::bigint / 1000.0) at time zone 'UTC', 'YYYY-MM');

-- What refers to a run, found by it when the run gets another key or goes: without these each of them is looked for among all of the
-- installation's.
create index runs_rerun on runs (installation_id, rerun_of) where rerun_of is not null;
create index drift_checks_run on drift_checks (installation_id, run_id);
