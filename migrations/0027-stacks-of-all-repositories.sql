-- Stacks of an environment, in the order of the lists.
create index stacks_environment on stacks (repo_id, (node->>'environment'), key collate "C") where listed;
