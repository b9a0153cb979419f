-- Issues that report drifted stacks, one for each stack.

create table drift_issues (
  stack_id uuid primary key references stacks (id),
  repo_id bigint not null references repositories (id),
  -- when an issue was first to be opened: a worker may die after opening it and before noting that, and then it is searched
  -- for among the issues created since
  wanted_at timestamptz not null,
  -- the number used to ask the code host; null until an issue is opened. If people moved the issue to another repository, the
  -- code host redirects from here
  address integer,
  -- the number that people see
  number integer,
  url text,
  -- as the service left it; people may have closed or reopened the issue since
  state text check (state in ('open', 'closed')),
  -- digest of its text
  digest text,
  -- the code host's reason for refusing, if it refused
  problem text
);
create index drift_issues_open on drift_issues (repo_id) where state is distinct from 'closed';
create index drift_issues_problem on drift_issues (repo_id) where problem is not null;
