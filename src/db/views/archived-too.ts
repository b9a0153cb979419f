import { type FragmentSqlToken, sql } from '../sql.ts'

/** The row of `archived_stacks` of a run and its stack: its key begins with the stack and the run's mode and time. */
const ofArchive = (place: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  runs o join archived_stacks a
    on a.installation_id = o.installation_id and a.stack_id = ${place}.stack_id and a.mode = o.mode and a.created_at = o.created_at
      and a.run_id = o.id
  where o.installation_id = ${place}.installation_id and o.id = ${place}.run_id`

/** What became of a stack in a run, as `place` names both and whose they are, whether or not the run is archived. */
export const archivedToo = (place: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  select run_id, mode, status, started_at, finished_at, created_at from run_stacks
  where installation_id = ${place}.installation_id and run_id = ${place}.run_id and stack_id = ${place}.stack_id
  union all
  select a.run_id, a.mode, a.status, a.started_at, a.finished_at, a.created_at from ${ofArchive(place)}
  limit 1`

/** What was reported of it: of an archived run summary and link alone. */
export const resultArchivedToo = (place: FragmentSqlToken): FragmentSqlToken => sql.fragment`
  select body, plan_text, plan_url, plan_bytes from results
  where installation_id = ${place}.installation_id and run_id = ${place}.run_id and stack_id = ${place}.stack_id
  union all
  select json_build_object('summary', a.summary, 'job_url', a.job_url), null, null, null from ${ofArchive(place)}
  limit 1`
