-- What lists and counts read, to keep the cost of a page independent of what came before it.

-- The graph's stacks as lists show them: [{key, node, dependencies, dependents}]. Made when the graph is uploaded, off the
-- event loop, since no list should parse 8 MB.
alter table graphs add column listing jsonb not null default '[]';

-- A stack as the default branch's graph has it; before the first merge, as the newest graph has it. A stack that the graph no
-- longer has is not listed, and keeps its last data.
alter table stacks
  add column listed boolean not null default false,
  -- {path, instance, workspace, environment, backend, tool}
  add column node jsonb,
  add column dependencies text[] not null default '{}',
  add column dependents text[] not null default '{}';
-- by code points: the order must not depend on the locale that the database was created with
create index stacks_listed on stacks (repo_id, key collate "C") where listed;

alter table repositories
  -- the graph that the stacks are listed by, and how many there are: counting them means reading them all
  add column listed_graph_id uuid references graphs (id),
  add column stack_count integer not null default 0;
create index repositories_listed on repositories (full_name collate "C", id) where removed_at is null;

-- Copied from the row's run: one index finds the newest rows of a stack.
alter table run_stacks add column mode text, add column created_at timestamptz;
update run_stacks s set mode = r.mode, created_at = r.created_at from runs r where r.id = s.run_id;
alter table run_stacks alter column mode set not null, alter column created_at set not null;
drop index run_stacks_stack;
create index run_stacks_history on run_stacks (stack_id, created_at desc, run_id desc);
create index run_stacks_of_mode on run_stacks (stack_id, mode, created_at desc, run_id desc);

-- What the newest drift check of a stack found.
create table drift_checks (
  stack_id uuid primary key references stacks (id),
  repo_id bigint not null references repositories (id),
  run_id uuid not null references runs (id),
  drifted boolean not null,
  checked_at timestamptz not null
);
create index drift_checks_drifted on drift_checks (repo_id) where drifted;

-- Runs of a mode and a status. A status alone takes three probes, a mode alone eight.
create index runs_status on runs (repo_id, mode, status, created_at desc, id desc);

-- How many runs there are by status: counting a million is too slow for a page that is open all day. Changes are first added
-- as rows and folded in each minute; applied at once, every run of a repository would wait for one row.
create table run_counts (
  repo_id bigint not null references repositories (id),
  status text not null,
  runs bigint not null,
  primary key (repo_id, status)
);
insert into run_counts select repo_id, status, count(*) from runs group by repo_id, status;
create table run_count_changes (
  repo_id bigint not null,
  status text not null,
  change integer not null
);

-- The repository of a held lock, to count and list by.
alter table locks add column repo_id bigint references repositories (id);
update locks l set repo_id = s.repo_id from stacks s where s.id = l.stack_id;
alter table locks alter column repo_id set not null;
create index locks_held on locks (taken_at, stack_id) where run_id is not null;
create index locks_repository on locks (repo_id, taken_at, stack_id) where run_id is not null;

create index audit_newest on audit (at desc, id desc);
