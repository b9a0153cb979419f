-- Whose row it is, for the share that a worker gives to one installation (0: nobody's), and how urgent: first what somebody waits for.
alter table jobs add column installation_id bigint not null default 0;
alter table jobs add column priority smallint not null default 1;

-- The installations that wait are walked at one probe each, as the lanes are.
drop index jobs_free;
create index jobs_free on jobs (installation_id, run_at, id) where state = 'queued' and lane is null;
drop index jobs_waiting;
create index jobs_waiting on jobs (lane, priority, run_at, id) where state = 'queued' and lane is not null;
