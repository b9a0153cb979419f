-- Whose a row is stands first in its keys: all rows of an installation may be kept apart from those of others, in a part of the
-- table or on another machine, and no statement about one has to look at another's. A repository that changes hands takes its
-- rows along: keys that refer to it follow. `installations`, `repositories` and `former_names` are the directory in which it is
-- looked up whose something is; they refer to nothing that belongs to one.
do $$
declare
  one record;
  tables constant text[] := array['archived_runs', 'archived_stacks', 'audit', 'check_runs', 'checks', 'comment_commands', 'cross_repo_plans', 'dispatches', 'drift_checks',
    'drift_issues', 'drift_states', 'external_edges', 'gate_decisions', 'graphs', 'journal', 'lock_journal', 'locks', 'module_consumers',
    'module_listings', 'module_tags', 'module_versions', 'modules', 'publications', 'pull_requests', 'results', 'run_count_changes',
    'run_counts', 'run_stacks', 'runs', 'stack_count_changes', 'stack_counts', 'stack_standings', 'stacks', 'timers'];
  -- by what each table is known to be an installation's: the first of these columns that it has
  owners constant text[][] := array[['repo_id', 'repositories'], ['run_id', 'runs'], ['stack_id', 'stacks']];
  owner text[];
begin
  for one in
    select conrelid::regclass as of, conname from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace
      and conrelid::regclass::text not in ('former_names') and conname <> 'repositories_installation_id_fkey'
  loop
    execute format('alter table %s drop constraint %I', one.of, one.conname);
  end loop;
  for one in select unnest(tables) as name loop
    execute format('alter table %I add column installation_id bigint', one.name);
  end loop;
  foreach owner slice 1 in array owners loop
    for one in
      select table_name as name from information_schema.columns
      where table_schema = current_schema() and column_name = owner[1] and table_name = any(tables)
    loop
      execute format('update %1$I t set installation_id = o.installation_id from %2$I o where o.id = t.%3$I and t.installation_id is null',
        one.name, owner[2], owner[1]);
    end loop;
  end loop;
end $$;

-- Each installation has a row of a module that its repositories use: lists show them as one. They are found again by
-- the graphs of the repositories, and their tags by reading these.
truncate module_consumers, module_listings, module_versions, modules;
update repositories set tags_read_at = null;
insert into jobs (queue, kind, key, payload, installation_id)
select 'jobs', 'index_modules', id::text, jsonb_build_object('repo_id', id), installation_id from repositories
where listed_graph_id is not null
on conflict do nothing;

update timers t set installation_id = r.installation_id from runs r
where t.kind in ('run', 'stack') and r.id = split_part(t.id, ':', 1)::uuid;
update timers t set installation_id = s.installation_id from stacks s where t.kind = 'lock' and s.id = t.id::uuid;
update timers t set installation_id = r.installation_id from dispatches d join runs r on r.id = d.run_id
where t.kind = 'dispatch' and d.id = t.id::uuid;
-- an entry of nobody's repository is nobody's
update audit a set installation_id = coalesce((
  select r.installation_id from repositories r where lower(r.full_name) = a.repo order by r.removed_at is not null limit 1), 0);
delete from timers where installation_id is null;

do $$
declare
  one record;
begin
  for one in
    select c.conrelid::regclass as of, c.conname, c.contype, (
      select string_agg(quote_ident(a.attname), ', ' order by k.place)
      from unnest(c.conkey) with ordinality as k(number, place) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number) as columns
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    where c.contype in ('p', 'u') and c.connamespace = current_schema()::regnamespace and not t.relispartition and t.relname <> 'installations'
      and t.relname <> 'repositories' and t.relname <> 'content_writes'
      and exists (select from pg_attribute a where a.attrelid = c.conrelid and a.attname = 'installation_id')
    order by c.contype desc
  loop
    execute format('alter table %s alter column installation_id set not null', one.of);
    execute format('alter table %s drop constraint %I', one.of, one.conname);
    execute format('alter table %s add constraint %I %s (installation_id, %s)', one.of, one.conname,
      case one.contype when 'p' then 'primary key' else 'unique' end, one.columns);
  end loop;
end $$;
alter table run_count_changes alter column installation_id set not null;
alter table stack_count_changes alter column installation_id set not null;
alter table jobs alter column installation_id set default 0;
alter table audit alter column installation_id set default 0;

alter table repositories add unique (installation_id, id);

drop index modules_families, audit_config_invalid, jobs_coalesced, jobs_delivery, jobs_lane, journal_event_key, lock_journal_event_key, runs_drift_open;
create unique index audit_config_invalid on audit (installation_id, target, (details ->> 'sha')) where action = 'config_invalid';
create index modules_families on modules (key collate "C", id) where family_id is null;
create unique index jobs_coalesced on jobs (installation_id, kind, key) where state = 'queued' and key is not null;
create unique index jobs_delivery on jobs (delivery_id, installation_id) where delivery_id is not null;
create unique index jobs_lane on jobs (installation_id, lane) where state = 'running' and lane is not null;
create unique index journal_event_key on journal (installation_id, run_id, subject_id, event_key) where event_key is not null;
create unique index lock_journal_event_key on lock_journal (installation_id, stack_id, event_key) where event_key is not null;
create unique index runs_drift_open on runs (installation_id, repo_id)
  where mode = 'drift' and status in ('pending', 'planning');
-- People and automation name runs, stacks, modules, dispatches and jobs by their ids alone, the beginning of a run's id is searched
-- for, and finished jobs and the runs of a month are walked in the order of ids. A delivery is known by its id, too.
create index archived_runs_id on archived_runs (run_id);
create index dispatches_id on dispatches (id);
create index jobs_id on jobs (id);
create index modules_id on modules (id);
create index runs_id on runs (id);
create index stacks_id on stacks (id);

alter table archived_runs add foreign key (installation_id, run_id) references runs (installation_id, id) on update cascade;
alter table comment_commands add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade;
alter table cross_repo_plans
  add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade,
  -- of what is upstream only the ids are kept: it may have changed hands
  add foreign key (installation_id, run_id) references runs (installation_id, id) on update cascade;
alter table drift_checks
  add foreign key (installation_id, run_id) references runs (installation_id, id) on update cascade,
  add foreign key (installation_id, stack_id) references stacks (installation_id, id) on update cascade;
alter table drift_issues
  add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade,
  add foreign key (installation_id, stack_id) references stacks (installation_id, id) on update cascade;
alter table drift_states
  add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade,
  add foreign key (installation_id, run_id) references runs (installation_id, id) on update cascade,
  add foreign key (installation_id, stack_id) references stacks (installation_id, id) on update cascade;
alter table external_edges
  add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade,
  add foreign key (installation_id, stack_id) references stacks (installation_id, id) on update cascade;
alter table dispatches add foreign key (installation_id, run_id) references runs (installation_id, id) on update cascade;
alter table gate_decisions add foreign key (installation_id, run_id) references runs (installation_id, id) on update cascade;
alter table graphs add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade;
alter table locks
  add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade,
  add foreign key (installation_id, stack_id) references stacks (installation_id, id) on update cascade;
alter table modules add foreign key (installation_id, family_id) references modules (installation_id, id);
alter table module_consumers
  add foreign key (installation_id, module_id) references modules (installation_id, id),
  add foreign key (installation_id, repo_id) references repositories (installation_id, id),
  add foreign key (installation_id, stack_id) references stacks (installation_id, id);
alter table module_listings
  add foreign key (installation_id, module_id) references modules (installation_id, id),
  add foreign key (installation_id, repo_id) references repositories (installation_id, id);
alter table module_tags add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade;
-- whose tags these are may be another's: the home of a module that several use
alter table module_versions add foreign key (installation_id, module_id) references modules (installation_id, id);
alter table pull_requests add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade;
alter table run_counts add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade;
alter table runs
  add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade,
  add foreign key (installation_id, graph_id) references graphs (installation_id, id) on update cascade,
  add foreign key (installation_id, rerun_of) references runs (installation_id, id) on update cascade;
alter table stack_counts add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade;
alter table stack_standings
  add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade,
  add foreign key (installation_id, stack_id) references stacks (installation_id, id) on update cascade;
alter table stacks add foreign key (installation_id, repo_id) references repositories (installation_id, id) on update cascade;
