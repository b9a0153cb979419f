-- Whether the issue of a stack that drifted has the plan that would mend it (drift.plan of the default branch's svc.yml).
alter table repositories add column drift_plan boolean not null default false;
