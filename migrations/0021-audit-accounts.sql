-- A login may change hands: a person's own entries are those of their account.
alter table audit add column actor_id bigint;
