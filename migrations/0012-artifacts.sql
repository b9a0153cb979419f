-- Where the whole plan text is: once the bucket has it, the row keeps only its first 8 KB.

alter table results
  -- size of the whole text, however much of it the row still has
  add column plan_bytes integer,
  add column plan_hash text,
  add column plan_url text;
