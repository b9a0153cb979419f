-- The queue of webhook deliveries ('events') and effects ('jobs'), and what the workers made on the code host.

create table jobs (
  id bigint generated always as identity primary key,
  queue text not null check (queue in ('events', 'jobs')),
  kind text not null,
  -- waiting jobs of the same kind and key are one job: 'make it current', not 'send this text'
  key text,
  -- jobs of one lane run one after another: writes to one installation of the code host
  lane text,
  delivery_id text,
  payload jsonb not null,
  cause text,
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'ignored', 'dead')),
  attempt integer not null default 0,
  run_at timestamptz not null default now(),
  leased_until timestamptz,
  leased_by uuid,
  last_error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
) with (fillfactor = 70);
create unique index jobs_coalesced on jobs (kind, key) where state = 'queued' and key is not null;
create unique index jobs_lane on jobs (lane) where state = 'running' and lane is not null;
create unique index jobs_delivery on jobs (delivery_id) where delivery_id is not null;
-- one probe finds the first row of each lane, whatever waits behind it; rows without a lane come in order of time
create index jobs_waiting on jobs (lane, run_at, id) where state = 'queued';
create index jobs_leased on jobs (leased_until) where state = 'running';

create table check_runs (
  run_id uuid not null,
  name text not null,
  check_run_id bigint not null,
  -- digest of the content last sent: unchanged content is not sent again
  digest text not null,
  primary key (run_id, name)
);
