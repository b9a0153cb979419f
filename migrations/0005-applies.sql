-- The plan run that the apply of a stack uses: its saved plan is applied, and its figures are compared with what was done.
alter table run_stacks add column plan_run_id uuid references runs (id);

-- Comments that asked for something: one row each, however often they are delivered. They are also counted: more than ten a
-- minute on a pull request are not carried out.
create table comment_commands (
  repo_id bigint not null references repositories (id),
  comment_id bigint not null,
  pr_number int not null,
  verb text not null,
  actor text not null,
  -- null until the command is carried out, refused or ignored
  outcome text check (outcome in ('accepted', 'refused', 'ignored', 'rate_limited')),
  at timestamptz not null,
  primary key (repo_id, comment_id)
);
create index comment_commands_recent on comment_commands (repo_id, pr_number, at);

-- Writes to the code host, by installation and minute: the code host accepts 80 a minute and 500 an hour.
create table content_writes (
  installation_id bigint not null,
  minute timestamptz not null,
  writes int not null,
  primary key (installation_id, minute)
);

-- Open dispatches are checked each minute; a job names its workflow run.
create index dispatches_open on dispatches (created_at) where state in ('requested', 'refused', 'awaiting', 'bound');
create index dispatches_workflow_run on dispatches (workflow_run_id) where workflow_run_id is not null;

-- The locks of a pull request, when it is closed; and what an installation's pages list.
create index locks_pull_request on locks (pr_number) where pr_number is not null;
create index pull_requests_open on pull_requests (repo_id, number) where state = 'open';
create index runs_unfinished on runs (repo_id) where status in ('pending', 'planning', 'applying');
create index runs_workflow_run on runs (workflow_run_id) where workflow_run_id is not null;
