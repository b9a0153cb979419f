-- A list over all repositories, without a status, looks for its newest runs in a range of an index for each installation and mode, or for
-- each installation and the person who asked for them. By repositories it was a way down the index for each.
create index runs_of_mode on runs (installation_id, mode, created_at desc, id desc) include (repo_id);
create index runs_of_person on runs (installation_id, requested_by, created_at desc, id desc) include (repo_id);
