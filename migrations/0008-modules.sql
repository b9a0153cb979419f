-- Modules, their released versions, and the stacks of default branches that consume them.

-- A family (`owner/repo//path`, without a ref), or a family pinned to one (`key@ref`), which leads to it.
create table modules (
  id uuid primary key,
  key text not null unique,
  kind text not null check (kind in ('local', 'git', 'registry')),
  source text,
  -- null for a family
  family_id uuid references modules (id),
  -- owner/name of the repository whose tags are its versions: by name, since the repository may become known here later
  repo_name text,
  -- its directory in that repository; empty for the root
  path text not null default '',
  created_at timestamptz not null default now()
);
create index modules_home on modules (lower(repo_name)) where family_id is null;
create index modules_families on modules (key collate "C") where family_id is null;
create index modules_pinned on modules (family_id) where family_id is not null;

-- The families in a repository's listed graph: a family that no graph has is not listed, and keeps its id.
create table module_listings (
  module_id uuid not null references modules (id),
  repo_id bigint not null references repositories (id),
  primary key (module_id, repo_id)
);
create index module_listings_repository on module_listings (repo_id);

-- Listed stacks and the families they use, directly or through other modules.
create table module_consumers (
  module_id uuid not null references modules (id),
  stack_id uuid not null references stacks (id),
  repo_id bigint not null references repositories (id),
  -- empty if no ref is asked for
  ref text not null,
  -- precedence of the version that the ref names; null if it names none. By code points: see module_versions
  precedence text collate "C",
  primary key (module_id, stack_id, ref)
);
create index module_consumers_stack on module_consumers (stack_id);
create index module_consumers_repository on module_consumers (repo_id);

-- Tags that hold a version, as the code host lists them.
create table module_tags (
  repo_id bigint not null references repositories (id),
  tag text not null,
  sha text not null,
  -- null until the code host is asked: each date takes a request
  tagged_at timestamptz,
  primary key (repo_id, tag)
);
-- when the tags were last read; null while no module of the repository is known
alter table repositories add column tags_read_at timestamptz;

-- The tags that are versions of a family: in code-point order, the texts are in order of precedence.
create table module_versions (
  module_id uuid not null references modules (id),
  precedence text collate "C" not null,
  repo_id bigint not null,
  tag text not null,
  -- whether it counts towards `latest` and `behind`
  counts boolean not null,
  -- how many newer versions count: counted once here, not for every consumer on a page
  newer integer not null,
  primary key (module_id, precedence),
  foreign key (repo_id, tag) references module_tags (repo_id, tag) on delete cascade
);
create index module_versions_tag on module_versions (repo_id, tag);

-- Dead jobs are shown and can be tried again.
create index jobs_dead on jobs (id) where state = 'dead';
