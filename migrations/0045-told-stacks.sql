-- What each check run of a stack was made of: those of stacks that have not changed since are not made again. Rows from before get it when their
-- stack is looked at next; only check runs of stacks that left their run before that stay as they are.
alter table check_runs add column stack_id uuid, add column made_of bigint;
-- 20 stacks are looked at together: without it, each time all check runs of the run
create index check_runs_of_stack on check_runs (installation_id, run_id, stack_id);
