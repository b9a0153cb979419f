-- The labels of the runners that a stack's job asks for; null for those that the workflow names.
alter table run_stacks add column runs_on text[];
