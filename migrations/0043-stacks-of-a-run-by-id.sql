-- Fewer bytes for each stack of a run. A stack of a run is found by its key through `stacks`, which has an index of keys and whose rows are never
-- deleted, and then by its id: the second index was written with each row and kept as long as the row.
alter table run_stacks drop constraint run_stacks_run_id_key_key;
