-- The four machines, one table each, and the journal of their transitions. `snapshot` is {value, context} of the machine,
-- `version` the machine version that wrote it, `seq` the number of its last journal row. The other columns repeat what queries
-- need; the statement that writes the snapshot writes them too.

create table runs (
  id uuid primary key,
  repo_id bigint not null references repositories (id),
  pr_number integer,
  sha text not null,
  base_sha text,
  mode text not null check (mode in ('plan', 'apply', 'drift')),
  trigger text not null check (trigger in ('pull_request', 'comment', 'push', 'schedule', 'rerequest', 'manual')),
  requested_by text not null,
  workflow_run_id bigint,
  workflow_run_attempt integer,
  graph_id uuid references graphs (id),
  -- digest and answer of the resolved upload: the same upload gets the same answer again
  upload_digest text,
  resolution text,
  failure jsonb,
  warnings jsonb not null default '[]',
  status text not null,
  waves integer not null default 0,
  current_wave integer not null default 0,
  snapshot jsonb not null,
  version integer not null,
  seq integer not null,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz
) with (fillfactor = 70);
create index runs_pull_request on runs (repo_id, pr_number, created_at desc, id desc) where pr_number is not null;
create index runs_newest on runs (repo_id, created_at desc, id desc);

create table run_stacks (
  run_id uuid not null references runs (id),
  stack_id uuid not null references stacks (id),
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
  primary key (run_id, stack_id),
  unique (run_id, key)
) with (fillfactor = 70); -- room for the update in the same page: no index column changes, so it stays a HOT update
create index run_stacks_stack on run_stacks (stack_id, run_id);

-- What a job reported of a stack. In a table of its own, or each transition would move a plan text of 256 KB.
create table results (
  run_id uuid not null,
  stack_id uuid not null,
  body jsonb not null,
  plan_text text,
  reported_at timestamptz not null,
  primary key (run_id, stack_id)
);

create table checks (
  run_id uuid not null,
  stack_id uuid not null,
  name text not null,
  status text not null check (status in ('pass', 'fail', 'warn')),
  summary text,
  details text,
  details_url text,
  updated_at timestamptz not null,
  primary key (run_id, stack_id, name)
);

create table locks (
  stack_id uuid primary key references stacks (id),
  state text not null,
  run_id uuid,
  pr_number integer,
  taken_at timestamptz,
  fence bigint not null default 0,
  snapshot jsonb not null,
  version integer not null,
  seq integer not null
) with (fillfactor = 70);
create index locks_run on locks (run_id) where run_id is not null;

create table dispatches (
  id uuid primary key,
  run_id uuid not null references runs (id),
  wave integer not null,
  part integer not null,
  stack_ids uuid[] not null,
  state text not null,
  workflow_run_id bigint,
  workflow_run_attempt integer,
  snapshot jsonb not null,
  version integer not null,
  seq integer not null,
  created_at timestamptz not null,
  unique (run_id, wave, part)
) with (fillfactor = 70);

create table journal (
  kind text not null check (kind in ('run', 'stack', 'lock', 'dispatch')),
  id text not null,
  seq integer not null,
  event jsonb not null,
  event_key text,
  actor text not null,
  cause text,
  state_from text,
  state_to text not null,
  actions jsonb not null,
  at timestamptz not null,
  primary key (kind, id, seq)
);
-- an event that carries a key is applied once
create unique index journal_event_key on journal (kind, id, event_key) where event_key is not null;

create table timers (
  kind text not null,
  id text not null,
  name text not null,
  event jsonb not null,
  due_at timestamptz not null,
  primary key (kind, id, name)
);
create index timers_due on timers (due_at);
