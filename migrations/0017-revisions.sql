-- What has changed of a run since somebody last looked: a number that each save raises under the run's lock, and stamps on the rows
-- it changes. No index goes by it: rows whose index entries change cost twice as much to write, and a run's rows are read by
-- its id anyway.
alter table runs add column rev integer not null default 1;
alter table run_stacks add column rev integer not null default 1;
alter table dispatches add column rev integer not null default 1;
