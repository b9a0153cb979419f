-- Where the whole plan text is: once it is in the bucket, the row keeps only its first 8 KB.

alter table results
  -- of the whole text, whatever of it the row still has
  add column plan_bytes integer,
  add column plan_hash text,
  add column plan_url text;
