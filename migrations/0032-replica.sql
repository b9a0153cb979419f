-- How far the write-ahead log went when a caller last wrote: what they read after it must not come from a replica that is behind.
alter table sessions add column wrote_at pg_lsn;
alter table api_keys add column wrote_at pg_lsn;
