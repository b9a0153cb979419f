-- What is done by the clock, and what is kept how long.

-- When an entry of the schedule ticked last: whoever leads next makes up for what nobody queued, and nothing is queued twice.
create table scheduled_ticks (
  entry text primary key,
  last_tick_at timestamptz not null
);

-- Plan texts by age: those that are gone are in no index. Finished jobs need none, they are walked in the order of their ids.
create index results_with_text on results (reported_at) where plan_text is not null;

create index comment_commands_age on comment_commands (at);
