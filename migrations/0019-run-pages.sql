-- What the page of a run says besides: which run it repeats, how an apply of its plan would start, and since when a text is gone.
alter table runs add column rerun_of uuid references runs (id);

-- `apply.mode` of the default branch's svc.yml, as it was read last.
alter table repositories add column apply_mode text check (apply_mode in ('comment', 'on_merge', 'off'));

alter table results add column plan_removed_at timestamptz;
