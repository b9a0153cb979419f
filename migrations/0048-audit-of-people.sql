-- The entries that people see, by what they see them through: the repositories that these name, with the filters that most of a
-- repository's entries do not pass, and the account that made them. No page walks over those of others.
create index audit_repo_action on audit (repo, action, at desc, id desc) where repo is not null;
create index audit_repo_actor on audit (repo, actor, at desc, id desc) where repo is not null;
create index audit_account on audit (actor_id, at desc, id desc) where actor_id is not null;
