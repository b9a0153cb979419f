-- The journal of a run and of all that is in it is found by the run and by whose rows they are: the run itself, the stack, the
-- dispatch. Two uuids instead of a text of up to 73 characters in the row and in each of its indexes; and by the run alone, whose
-- id has its time, the table can be divided. A lock outlives runs: its journal is a table of its own, which numbers its rows along.
create table lock_journal (
  stack_id uuid not null,
  -- in whose timeline it is
  run_id uuid,
  entry bigint not null default nextval('journal_entry_seq'),
  at timestamptz not null,
  seq integer not null,
  event jsonb not null,
  event_key text,
  actor text not null,
  cause text,
  state_from text,
  state_to text not null,
  actions jsonb not null,
  primary key (stack_id, seq)
);
insert into lock_journal (stack_id, run_id, entry, at, seq, event, event_key, actor, cause, state_from, state_to, actions)
select id::uuid, run_id, entry, at, seq, event, event_key, actor, cause, state_from, state_to, actions
from journal where kind = 'lock' order by entry;
create unique index lock_journal_event_key on lock_journal (stack_id, event_key) where event_key is not null;
create index lock_journal_run on lock_journal (run_id, entry) where run_id is not null;

delete from journal where kind = 'lock';
drop index journal_event_key, journal_run;
alter table journal
  drop constraint journal_pkey,
  drop constraint journal_kind_check,
  add column subject_id uuid;
update journal set subject_id = case kind when 'stack' then split_part(id, ':', 2)::uuid else id::uuid end;
alter table journal
  drop column id,
  alter column run_id set not null,
  alter column subject_id set not null,
  add primary key (run_id, subject_id, seq),
  add constraint journal_kind_check check (kind in ('run', 'stack', 'dispatch'));
-- an event that carries a key is applied once
create unique index journal_event_key on journal (run_id, subject_id, event_key) where event_key is not null;
create index journal_run on journal (run_id, entry);
