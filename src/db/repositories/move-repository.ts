import { z } from 'zod'
import { addJobs } from '#db/queue/jobs.ts'
import { makeJob } from '#jobs/job.ts'
import { type FragmentSqlToken, jsonRows, nothing, type Reader, sql, type Tx } from '../sql.ts'

const Moved = z.object({ id: z.number(), installation_id: z.number(), to: z.number() })

/** A repository that the code host shows under another installation than the one that it is known by. */
export type MovedRepository = z.infer<typeof Moved>

/** Those among them that changed hands, or whose app was installed anew. */
export const movedRepositories = (
  db: Reader,
  rows: readonly { id: number; installation_id: number }[],
): Promise<readonly MovedRepository[]> =>
  db.any(sql.type(Moved)`
    select r.id, r.installation_id, t.installation_id as to
    from jsonb_to_recordset(${jsonRows(rows.map(({ id, installation_id }) => ({ id, installation_id })))})
      as t(id int8, installation_id int8)
    join repositories r on r.id = t.id and r.installation_id <> t.installation_id order by r.id`)

/** Tables of what is in a run, which refer to it by no key: its rows are moved under its lock. */
const ofRuns = ['check_runs', 'checks', 'journal', 'publications', 'results', 'run_stacks']

/** Found again in the repository's graph, for its new installation. */
const foundAgain = ['module_consumers', 'module_listings']

/**
 * Moves a repository with all its rows to another installation. Whoever writes rows of it holds its own row or that of one of its
 * runs or locks, so these are locked first: the repository before its runs, so that nobody begins another. A merge of that moment,
 * which goes the other way, may meet it in a circle, and one of the two is tried again. What refers to the repository by a key follows it;
 * its modules are found again.
 */
export const moveRepository = async (tx: Tx, { id, installation_id: from, to }: MovedRepository): Promise<void> => {
  const run = async (statement: FragmentSqlToken): Promise<void> => {
    await tx.query(sql.type(nothing)`${statement}`)
  }
  // a lifetime of runs in one statement; the session's limit is for requests
  await run(sql.fragment`select set_config('statement_timeout', '0', true)`)
  await run(sql.fragment`select id from repositories where id = ${id} for update`)
  await run(sql.fragment`
    select id from runs where installation_id = ${from} and repo_id = ${id} order by id for no key update`)
  await run(sql.fragment`
    select stack_id from locks where installation_id = ${from} and repo_id = ${id} order by stack_id for no key update`)
  for (const table of foundAgain)
    await run(sql.fragment`
      delete from ${sql.identifier([table])} where installation_id = ${from} and repo_id = ${id}`)
  for (const table of ofRuns)
    await run(sql.fragment`
      update ${sql.identifier([table])} t set installation_id = ${to} from runs r
      where r.installation_id = ${from} and r.repo_id = ${id} and t.installation_id = ${from} and t.run_id = r.id`)
  for (const table of ['archived_stacks', 'lock_journal'])
    await run(sql.fragment`
      update ${sql.identifier([table])} t set installation_id = ${to} from stacks s
      where s.installation_id = ${from} and s.repo_id = ${id} and t.installation_id = ${from} and t.stack_id = s.id`)
  for (const table of ['run_count_changes', 'stack_count_changes'])
    await run(sql.fragment`
      update ${sql.identifier([table])} set installation_id = ${to} where installation_id = ${from} and repo_id = ${id}`)
  await run(timersMoved(id, from, to))
  await run(jobsMoved(id, from, to))
  const cutOff = await publishedNow(tx, id, from)
  await run(sql.fragment`
    update audit set installation_id = ${to} where installation_id = ${from} and repo in (
      select lower(full_name) from repositories where id = ${id} union select name from former_names where repo_id = ${id})`)
  await run(sql.fragment`update repositories set installation_id = ${to} where id = ${id}`)
  const more = { installationId: to, cause: null }
  await addJobs(tx, [
    ...cutOff.map(({ kind, run_id }) => makeJob(kind, { run_id }, more)),
    ...[makeJob('index_modules', { repo_id: id }, more), makeJob('read_tags', { repo_id: id }, more)],
  ])
}

const Publishing = z.object({ kind: z.enum(['publish_run', 'publish_stacks']), run_id: z.string() })

/**
 * What a worker shows of its runs at this moment: it looks for them where they were, finds nothing, and nothing else would show a run that has
 * ended. Asked after the jobs were moved: one may have been taken, or put back, meanwhile.
 */
const publishedNow = (tx: Tx, id: number, from: number): Promise<readonly z.infer<typeof Publishing>[]> =>
  tx.any(sql.type(Publishing)`
    select distinct j.kind, r.id as run_id from jobs j join runs r on r.installation_id = ${from} and r.id = (j.payload->>'run_id')::uuid
    where j.installation_id = ${from} and j.queue = 'jobs' and j.state in ('queued', 'running') and j.kind in ('publish_run', 'publish_stacks')
      and r.repo_id = ${id}
    order by run_id, j.kind`)

/** Those of its runs, with their stacks and dispatches, and of its locks. */
const timersMoved = (id: number, from: number, to: number): FragmentSqlToken => sql.fragment`
  update timers t set installation_id = ${to}
  where t.installation_id = ${from} and case t.kind
    when 'lock' then exists (select from stacks where installation_id = ${from} and repo_id = ${id} and stacks.id = t.id::uuid)
    when 'dispatch' then exists (
      select from dispatches d join runs r on r.installation_id = d.installation_id and r.id = d.run_id
      where d.installation_id = ${from} and d.id = t.id::uuid and r.repo_id = ${id})
    else exists (
      select from runs where installation_id = ${from} and repo_id = ${id} and runs.id = split_part(t.id, ':', 1)::uuid) end`

/** What is to be done about it; where the same already waits there, that does. */
const jobsMoved = (id: number, from: number, to: number): FragmentSqlToken => sql.fragment`
  update jobs j set installation_id = ${to}
  where j.installation_id = ${from} and j.queue = 'jobs' and j.state = 'queued' and (
      (j.payload->>'repo_id')::int8 = ${id}
      or exists (select from runs where installation_id = ${from} and repo_id = ${id} and runs.id = (j.payload->>'run_id')::uuid)
      or exists (select from stacks where installation_id = ${from} and repo_id = ${id} and stacks.id = (j.payload->>'stack_id')::uuid)
      or exists (
        select from dispatches d join runs r on r.installation_id = d.installation_id and r.id = d.run_id
        where d.installation_id = ${from} and d.id = (j.payload->>'dispatch_id')::uuid and r.repo_id = ${id}))
    and not exists (
      select from jobs q where q.installation_id = ${to} and q.kind = j.kind and q.key = j.key and q.state = 'queued')`
