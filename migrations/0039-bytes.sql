-- Fewer bytes for each stack of a run. Its machine is its row: what it remembers are columns, most of them null, instead of a snapshot that
-- said again what other columns say.
alter table run_stacks
  add column fence bigint,
  add column digest text,
  add column lost text;
update run_stacks set fence = (snapshot->'context'->>'fence')::bigint, digest = snapshot->'context'->>'digest',
  lost = snapshot->'context'->>'lost';
alter table run_stacks drop column snapshot;
