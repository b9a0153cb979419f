-- When a run may next be published because one of its stacks changed: results that come earlier share the job of that time.
create table publications (
  run_id uuid primary key,
  next_at timestamptz not null
);
