-- The journal of a run, its stacks, its dispatches and the locks while it holds them, as one list in the order in which it was
-- written: the times of one transaction are equal, and those of two instances need not agree.
alter table journal
  add column run_id uuid,
  add column entry bigint generated always as identity;
update journal set run_id = case kind
    when 'run' then id::uuid
    when 'stack' then split_part(id, ':', 1)::uuid
    when 'dispatch' then (select d.run_id from dispatches d where d.id = journal.id::uuid)
    when 'lock' then (event->>'run_id')::uuid
  end;
create index journal_run on journal (run_id, entry) where run_id is not null;
