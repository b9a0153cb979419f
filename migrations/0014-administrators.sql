-- Who owns what the service serves, and what a merge made.

alter table sessions
  -- of the session's accounts those that were the person's own at sign-in: theirs, and organisations whose owners they are
  add column owned_ids bigint[] not null default '{}';

-- The commit on the base branch: a graph is asked for by it as by the head's.
alter table pull_requests add column merge_commit_sha text;
create index pull_requests_merge on pull_requests (repo_id, merge_commit_sha) where merge_commit_sha is not null;

-- The few stacks that are not listed: whether a drifted one is among them is asked for each that is counted.
create index stacks_unlisted on stacks (id) where not listed;
