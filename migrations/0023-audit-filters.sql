-- The repository that an entry names, in lower case: `owner/repo…` or `kind:owner/repo…` as target, or in its details.
alter table audit add column repo text generated always as (lower(coalesce(details->>'repo',
  substring(target from '^(?:[a-z_]+:)?([A-Za-z0-9_-]+/[A-Za-z0-9._-]+)')))) stored;

-- One for each filter, in the order of the list: a page of a rare action costs as much as one of a common action.
create index audit_actor on audit (actor, at desc, id desc);
create index audit_action on audit (action, at desc, id desc);
create index audit_target on audit (target, at desc, id desc);
create index audit_repo on audit (repo, at desc, id desc) where repo is not null;
