import { isoText } from '../moment.ts'
import { sql } from '../sql.ts'

/** What a run did with a stack as JSON (docs/interface.md, 'RunStackRef'): of its row `x`, the run `r` and the result `t`. */
export const runStackRef = sql.fragment`
  jsonb_build_object('run_id', x.run_id, 'sha', r.sha, 'pr_number', r.pr_number, 'mode', x.mode, 'status', x.status,
    'summary', t.body->'summary', 'started_at', ${isoText(sql.fragment`x.started_at`)},
    'finished_at', ${isoText(sql.fragment`x.finished_at`)}, 'job_url', t.body->>'job_url')`
