-- Commit ids that begin with what was typed.
create index runs_commit on runs (sha text_pattern_ops);
