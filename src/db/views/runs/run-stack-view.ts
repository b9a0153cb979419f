import { z } from 'zod'
import { CheckView, verdictsOn, wholeVerdict, withLock } from '#db/machines/beside-machine.ts'
import { listed } from '#db/machines/stack-snapshot.ts'
import { reasons } from '#domain/resolution/reasons.ts'
import { KeptResult } from '#domain/result.ts'
import { stackStatuses } from '#domain/run-status.ts'
import { runStackPath } from '../../machines/run-stack-path.ts'
import { type FragmentSqlToken, type Reader, sql } from '../../sql.ts'
import { ofRun, ofRuns } from '../../tenant.ts'

export const RunStackView = z.object({
  run_id: z.string(),
  stack_id: z.string(),
  key: z.string(),
  path: z.string(),
  instance: z.string().nullable(),
  workspace: z.string().nullable(),
  environment: z.string().nullable(),
  wave: z.number(),
  status: z.enum(stackStatuses),
  reasons: z.array(z.enum(reasons)),
  via: z.array(z.string()),
  plan_output: z.enum(['full', 'summary']),
  blocked_by: z.array(z.string()),
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
  result: KeptResult.nullable(),
  plan_text: z.string().nullable(),
  plan_url: z.string().nullable(),
  /** Size of the whole text, and of what the row has of it: less if the whole is in the bucket. */
  plan_bytes: z.number().nullable(),
  kept_bytes: z.number().nullable(),
  /** Of the whole text. */
  plan_hash: z.string().nullable(),
  checks: z.array(CheckView),
  lock_run_id: z.string().nullable(),
  lock_pr_number: z.number().nullable(),
  lock_taken_at: z.date().nullable(),
})

/** A stack's row in a run with what was reported of it, its verdicts and the current lock on the stack. */
export type RunStackView = z.infer<typeof RunStackView>

/** What the API shows of it: hashes of plans stay here. */
export type ShownRunStack = Omit<RunStackView, 'plan_hash'>

/** The columns of a `RunStackView` of rows `s` and `r`, but for the plan text, with these of the result and of each verdict. */
export const columnsWith = (
  body: FragmentSqlToken,
  verdict: FragmentSqlToken = wholeVerdict,
): FragmentSqlToken => sql.fragment`
  s.run_id, s.stack_id, s.key, ${runStackPath(sql.fragment`s`)}, s.instance, s.workspace, s.environment, s.wave, s.status, s.reasons,
  ${listed(sql.fragment`s.via`)} as via, s.plan_output, ${listed(sql.fragment`s.blocked_by`)} as blocked_by, s.started_at, s.finished_at, ${body} as result,
  r.plan_url, coalesce(r.plan_bytes, octet_length(r.plan_text)) as plan_bytes, octet_length(r.plan_text) as kept_bytes,
  encode(r.plan_hash, 'hex') as plan_hash,
  ${verdictsOn(verdict)} as checks,
  l.run_id as lock_run_id, l.pr_number as lock_pr_number, l.taken_at as lock_taken_at`

const columns = columnsWith(sql.fragment`r.body`)

/** What was reported of rows `s`, as `r`. */
export const withResults = sql.fragment`
  left join results r on r.installation_id = s.installation_id and r.run_id = s.run_id and r.stack_id = s.stack_id`

export const joins = sql.fragment`
  ${withResults} ${withLock}`

export type StackRef = { runId: string; stackId: string }

const ofRefs = (db: Reader, refs: StackRef[]) => sql.fragment`
  from ${sql.unnest(
    refs.map((ref) => [ref.runId, ref.stackId]),
    ['uuid', 'uuid'],
  )} as t(run_id, stack_id) join run_stacks s
    on s.installation_id ${ofRuns(
      db,
      refs.map((ref) => ref.runId),
    )} and s.run_id = t.run_id and s.stack_id = t.stack_id`

export const runStackViews = (db: Reader, refs: StackRef[]): Promise<readonly RunStackView[]> =>
  db.any(sql.type(RunStackView)`select ${columns}, r.plan_text ${ofRefs(db, refs)} ${joins}`)

/** The same without plan and error texts, which are nearly all of the bytes, and are not read. */
export const runStackViewsWithoutTexts = (db: Reader, refs: StackRef[]): Promise<readonly RunStackView[]> =>
  db.any(sql.type(RunStackView)`
    select ${columnsWith(sql.fragment`r.body::jsonb - 'error_text'`)}, null as plan_text ${ofRefs(db, refs)} ${joins}`)

const Place = z.object({ stack_id: z.string(), rev: z.number(), bytes: z.number() })

/**
 * The stacks of a run in the order of waves and keys: the `rev` of each, and of those that changed after one how many bytes there are to
 * read, known without reading them.
 */
export const placesOfRun = (
  db: Reader,
  runId: string,
  { since, withPlans }: { since: number; withPlans: boolean },
): Promise<readonly z.infer<typeof Place>[]> =>
  db.any(sql.type(Place)`
    select s.stack_id, s.rev, case when s.rev > ${since} then coalesce(octet_length(r.body::text), 0)
      + case when ${withPlans} then coalesce(octet_length(r.plan_text), 0) else 0 end else 0 end as bytes
    from run_stacks s ${withResults}
    where s.installation_id = ${ofRun(db, runId)} and s.run_id = ${runId} order by s.wave, s.key`)
