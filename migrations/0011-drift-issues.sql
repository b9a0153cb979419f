-- Issues that say which stacks drifted, one a stack.

create table drift_issues (
  stack_id uuid primary key references stacks (id),
  repo_id bigint not null references repositories (id),
  -- when one was first to be opened: a worker may die between opening it and writing that down, and then it is looked for
  -- among what was made since
  wanted_at timestamptz not null,
  -- the number that the code host is asked for; null until one was opened. One that people moved to another repository is
  -- led to from there
  address integer,
  -- as people find it
  number integer,
  url text,
  -- as the service left it; people may have closed or reopened it since
  state text check (state in ('open', 'closed')),
  -- of what it says
  digest text,
  -- what the code host said no with, where it did
  problem text
);
create index drift_issues_open on drift_issues (repo_id) where state is distinct from 'closed';
create index drift_issues_problem on drift_issues (repo_id) where problem is not null;
