-- Who waived a failed verdict by approving the head commit after it, once an apply has gone past it.
alter table checks add column waived_by text;
