-- What each layer of the gate found when it let an apply through. Reviews, permissions and checks change afterwards, so that it cannot
-- be found out again who approved what.
create table gate_decisions (
  run_id uuid primary key references runs (id),
  -- login, or name of an API key; null where the code host did not tell who merged
  asked_by text,
  decided_at timestamptz not null,
  -- [{layer, verdict, summary, evidence, next?}], in the order of the layers
  facts jsonb not null
);
