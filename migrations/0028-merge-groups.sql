-- The branch that a merge queue made for a group of pull requests, on the plan run of that group. Such a run belongs to no
-- pull request: it replaces no plan of one, and nothing is applied from it.
alter table runs add column merge_group text;

create index runs_merge_group on runs (repo_id, merge_group) where merge_group is not null;
