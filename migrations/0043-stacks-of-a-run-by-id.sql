-- Fewer bytes for each stack of a run. A stack of a run is found by its key through `stacks`, which has an index of keys and whose rows are never
-- deleted, and then by its id: the second index was written with each row and kept as long as the row.
alter table run_stacks drop constraint run_stacks_run_id_key_key;

-- An empty list is null from now on; rows that are there are not written anew for it.
alter table run_stacks
  alter column via drop not null,
  alter column via drop default,
  alter column blocked_by drop not null,
  alter column blocked_by drop default;
