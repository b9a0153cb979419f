-- Divides a database of the service over the machines of a Citus cluster, by the installation that rows belong to. UNTRIED ON CITUS:
-- the tests divide every table this way with Postgres' own partitions, and see each statement about a run or a stack open one part;
-- no Citus was at hand. Run once, before there are rows, after the service has made its tables:
--
--   psql "$DATABASE_URL" --single-transaction --file deploy/citus.sql
--
-- What is to be expected of it: what a run, a pull request or a stack needs is on one machine, with its queue. Claims of jobs, due
-- timers, the overview and lists over all repositories ask every machine.

-- the directory, on every machine
select create_reference_table('installations');
select create_reference_table('repositories');
select create_reference_table('former_names');

-- an installation's rows, those of one together
select create_distributed_table('pull_requests', 'installation_id');
select create_distributed_table('archived_runs', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('archived_stacks', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('audit', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('check_runs', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('checks', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('comment_commands', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('content_writes', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('cross_repo_plans', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('dispatches', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('drift_checks', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('drift_issues', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('drift_states', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('external_edges', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('gate_decisions', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('graphs', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('jobs', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('journal', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('lock_journal', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('locks', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('module_consumers', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('module_listings', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('module_tags', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('module_versions', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('modules', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('publications', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('results', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('run_count_changes', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('run_counts', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('run_stacks', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('runs', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('stack_count_changes', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('stack_counts', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('stack_standings', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('stacks', 'installation_id', colocate_with => 'pull_requests');
select create_distributed_table('timers', 'installation_id', colocate_with => 'pull_requests');

-- What is nobody's stays where it is: api_keys, archived_months, sessions, setup_states, used_tokens, scheduled_ticks, migrations.
