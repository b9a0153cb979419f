-- A list of stacks names the installation and the repository, and Postgres multiplies how few it expects of each: 12 where 12,562 were. Bitmaps and a sort
-- looked as cheap as the order of an index that lacked the installation, and a page over 50,000 stacks took 24 to 138 ms. By an index that has it, and
-- alone, the page's ids take 0.3 ms.
drop index stacks_listed;
create index stacks_listed on stacks (installation_id, repo_id, key collate "C") include (id) where listed;
drop index stacks_environment;
create index stacks_environment on stacks (installation_id, repo_id, (node->>'environment'), key collate "C") where listed;
