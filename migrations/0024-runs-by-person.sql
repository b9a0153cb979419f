-- Runs that somebody asked for, in the order of the lists.
create index runs_requested_by on runs (repo_id, requested_by, created_at desc, id desc);
