-- Stacks that depend on stacks of other repositories, and the plans that applies there cause.

-- What the listed stacks of a repository depend on in other repositories. By name, as configurations spell it: the repository
-- may become known here later, or never.
create table external_edges (
  -- the dependent
  stack_id uuid not null references stacks (id),
  repo_id bigint not null references repositories (id),
  -- owner/repo//key, as the graph spells it
  upstream text not null,
  -- owner/repo in lower case
  upstream_repo text not null,
  upstream_key text not null,
  type text not null check (type in ('depends_on', 'reads_state')),
  primary key (stack_id, upstream, type)
);
create index external_edges_upstream on external_edges (upstream_repo, upstream_key);
create index external_edges_repository on external_edges (repo_id);

-- Former names of repositories, in lower case: the code host redirects from an old name to the new one until another
-- repository takes it. Configurations that were not changed since still use it.
create table former_names (
  repo_id bigint not null references repositories (id),
  name text not null,
  primary key (repo_id, name)
);
create index former_names_name on former_names (name);

-- Whether a former name now belongs to another account.
create index installations_login on installations (lower(account_login));

-- A repository to plan, because an apply in another repository changed stacks that its own stacks depend on.
create table cross_repo_plans (
  upstream_run_id uuid not null references runs (id),
  upstream_stack_id uuid not null references stacks (id),
  -- the repository to plan
  repo_id bigint not null references repositories (id),
  -- the plan run; null until one is begun
  run_id uuid references runs (id),
  primary key (upstream_run_id, upstream_stack_id, repo_id)
);
create index cross_repo_plans_wanted on cross_repo_plans (repo_id) where run_id is null;

-- Whether a plan that no pull request asked for is still under way: there are few of them.
create index runs_propagated on runs (repo_id) where mode = 'plan' and trigger = 'push' and status in ('pending', 'planning');
