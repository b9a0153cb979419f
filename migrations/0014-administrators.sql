-- Who owns the accounts that the service serves, and which commit a merge made.

alter table sessions
  -- the session's accounts that the person owned at sign-in: their own, and the organisations they are an owner of
  add column owned_ids bigint[] not null default '{}';

-- The commit on the base branch: a graph can be asked for by it or by the head.
alter table pull_requests add column merge_commit_sha text;
create index pull_requests_merge on pull_requests (repo_id, merge_commit_sha) where merge_commit_sha is not null;

-- The few unlisted stacks: for each drifted stack, the count checks whether it is among them.
create index stacks_unlisted on stacks (id) where not listed;
