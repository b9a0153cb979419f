-- What runs on a schedule, and how long things are kept.

-- When each entry of the schedule last ticked: the next leader queues what was missed, and queues nothing twice.
create table scheduled_ticks (
  entry text primary key,
  last_tick_at timestamptz not null
);

-- Plan texts by age: removed ones are in no index. Finished jobs need no index, they are read in the order of their ids.
create index results_with_text on results (reported_at) where plan_text is not null;

create index comment_commands_age on comment_commands (at);
