-- Accounts that installed the app, their repositories, pull requests, graphs and stacks.
-- Installation and repository ids are the code host's own numbers: names change, numbers do not.

create table installations (
  id bigint primary key,
  account_id bigint not null,
  account_login text not null,
  account_type text not null check (account_type in ('User', 'Organization')),
  suspended_at timestamptz,
  removed_at timestamptz,
  updated_at timestamptz not null default now()
);

create table repositories (
  id bigint primary key,
  installation_id bigint not null references installations (id),
  owner text not null,
  name text not null,
  full_name text not null generated always as (owner || '/' || name) stored,
  default_branch text not null,
  archived boolean not null default false,
  removed_at timestamptz,
  -- graph of the default branch: set when a pull request is merged
  default_graph_id uuid,
  updated_at timestamptz not null default now()
);
-- not unique: if two renames are seen in the wrong order, two rows have the same name for a moment
create index repositories_full_name on repositories (lower(full_name));
create index repositories_installation on repositories (installation_id);

create table pull_requests (
  repo_id bigint not null references repositories (id),
  number integer not null,
  state text not null check (state in ('open', 'closed')),
  merged_at timestamptz,
  head_sha text not null,
  base_ref text not null,
  base_sha text not null,
  author text not null,
  -- the one comment that is edited in place
  comment_id bigint,
  -- digest of the text last sent: the same text is not sent again
  comment_digest text,
  -- when the code host was asked for the columns above
  read_at timestamptz not null,
  primary key (repo_id, number)
);

create table graphs (
  id uuid primary key,
  repo_id bigint not null references repositories (id),
  sha text not null,
  tree_hash text not null,
  -- JSON text: up to 8 MB goes in and out whole, without Postgres parsing it
  body text not null,
  created_at timestamptz not null default now(),
  unique (repo_id, sha, tree_hash)
);
create index graphs_tree on graphs (repo_id, tree_hash);
create index graphs_newest on graphs (repo_id, created_at desc, id desc);

alter table repositories add foreign key (default_graph_id) references graphs (id);

create table stacks (
  id uuid primary key,
  repo_id bigint not null references repositories (id),
  key text not null,
  created_at timestamptz not null default now(),
  unique (repo_id, key)
);
