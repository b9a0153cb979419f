-- Months of runs that were moved to the bucket, the oldest first.
create table archived_months (
  -- 2026-08
  month text primary key check (month ~ '^\d{4}-\d\d$'),
  -- where the list of its runs is
  index_url text,
  -- when its partitions were dropped; until then the rows are here
  dropped_at timestamptz
);

-- Where the rows of a run are in the bucket: a stretch of an object that is compressed by itself.
create table archived_runs (
  run_id uuid primary key references runs (id),
  -- of the run when it was written: what has changed since is written again
  rev integer not null,
  url text not null,
  start bigint not null,
  bytes integer not null,
  -- SHA-256 of the stretch, hexadecimal
  hash text not null,
  -- how many rows it has of each table
  rows jsonb not null
);

-- What the list of a stack's runs says of those that are archived: a list does not ask the bucket once a row. And of checks for drift
-- that found nothing, of which nothing else is kept.
create table archived_stacks (
  stack_id uuid not null,
  mode text not null,
  created_at timestamptz not null,
  run_id uuid not null,
  status text not null,
  summary jsonb,
  job_url text,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (stack_id, mode, created_at, run_id)
);

-- the checks for drift by their age, which is in their ids
create index runs_drift on runs (id) where mode = 'drift';
