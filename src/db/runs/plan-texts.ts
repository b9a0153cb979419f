import { z } from 'zod'
import { KeptResult } from '#domain/result.ts'
import { runStackPath } from '../machines/run-stack-path.ts'
import { stackOfRun } from '../machines/stacks-by-key.ts'
import { type FragmentSqlToken, nothing, type Reader, sql } from '../sql.ts'
import { ofRun } from '../tenant.ts'

const PlanToStore = z.object({
  stack_id: z.string(),
  key: z.string(),
  path: z.string(),
  status: z.string(),
  started_at: z.date().nullable(),
  finished_at: z.date().nullable(),
  reported_at: z.date(),
  body: KeptResult,
  plan_text: z.string(),
  run_id: z.string(),
  mode: z.string(),
  sha: z.string(),
  pr_number: z.number().nullable(),
  repo: z.string(),
})

/** A plan text that is in the database only, with what its summary object says of it. */
export type PlanToStore = z.infer<typeof PlanToStore>

/** The next `limit` such texts of a run, after stack `after` in the order of ids: whole texts, so take few at a time. */
export const plansToStore = (
  db: Reader,
  { runId, after, limit }: { runId: string; after: string; limit: number },
): Promise<readonly PlanToStore[]> =>
  db.any(sql.type(PlanToStore)`
    select r.stack_id, s.key, ${runStackPath(sql.fragment`s`)}, s.status, s.started_at, s.finished_at, r.reported_at, r.body, r.plan_text,
      runs.id as run_id, runs.mode, runs.sha, runs.pr_number, repositories.owner || '/' || repositories.name as repo
    from results r
      join run_stacks s on s.installation_id = r.installation_id and s.run_id = r.run_id and s.stack_id = r.stack_id
      join runs on runs.installation_id = r.installation_id and runs.id = r.run_id
      join repositories on repositories.id = runs.repo_id
    where r.installation_id = ${ofRun(db, runId)} and r.run_id = ${runId} and r.stack_id > ${after} and r.plan_url is null
      and octet_length(r.plan_text) > 0
    order by r.stack_id limit ${limit}`)

/**
 * Cuts the row's text to its beginning and records where the whole is, if the row still has the text with this SHA-256 (hex).
 * Does nothing otherwise: a late result came.
 */
export const keepBeginning = async (
  db: Reader,
  plan: { runId: string; stackId: string; hash: string; beginning: string; url: string },
): Promise<void> => {
  await db.query(sql.type(nothing)`
    update results
    set plan_text = ${plan.beginning}, plan_url = ${plan.url}, plan_bytes = octet_length(plan_text), plan_hash = decode(${plan.hash}, 'hex')
    where installation_id = ${ofRun(db, plan.runId)} and run_id = ${plan.runId} and stack_id = ${plan.stackId} and plan_url is null
      and sha256(convert_to(plan_text, 'UTF8')) = decode(${plan.hash}, 'hex')`)
}

const PlanText = z.object({ plan_text: z.string().nullable(), plan_url: z.string().nullable(), is_cut: z.boolean() })

/** What a row has of its plan text. Undefined until something is reported. */
export const findPlanText = async (
  db: Reader,
  ref: { runId: string; stackId: string },
): Promise<z.infer<typeof PlanText> | undefined> =>
  (await db.maybeOne(sql.type(PlanText)`
    select plan_text, plan_url, plan_url is not null and coalesce(octet_length(plan_text), 0) < plan_bytes as is_cut
    from results where installation_id = ${ofRun(db, ref.runId)} and run_id = ${ref.runId} and stack_id = ${ref.stackId}`)) ??
  undefined

/** The row `s` of the stack with this key in a run, and its result `r`. */
const withKey = (db: Reader, ref: { runId: string; key: string }): FragmentSqlToken => sql.fragment`
    from run_stacks s left join results r
      on r.installation_id = s.installation_id and r.run_id = s.run_id and r.stack_id = s.stack_id
    where s.installation_id = ${ofRun(db, ref.runId)} and s.run_id = ${ref.runId} and s.stack_id = ${stackOfRun(db, ref)}`

const PlanUrlRow = z.object({ plan_url: z.string().nullable() })

/** Where a stack's whole plan text is: null if it is in no bucket, undefined if the run has no such stack. */
export const findPlanUrl = async (
  db: Reader,
  ref: { runId: string; key: string },
): Promise<string | null | undefined> => {
  const row = await db.maybeOne(sql.type(PlanUrlRow)`
    select r.plan_url ${withKey(db, ref)}`)
  return row?.plan_url
}

const KeptText = z.object({
  stack_id: z.string(),
  plan_output: z.enum(['full', 'summary']),
  plan_text: z.string().nullable(),
  plan_url: z.string().nullable(),
  plan_hash: z.string().nullable(),
  is_cut: z.boolean(),
  plan_removed_at: z.date().nullable(),
  reported_at: z.date().nullable(),
})

/** Where a stack's plan text is, or why it is nowhere. */
export type KeptText = z.infer<typeof KeptText>

/** Of the stack with this key; undefined if the run has none. */
export const findKeptText = async (db: Reader, ref: { runId: string; key: string }): Promise<KeptText | undefined> =>
  (await db.maybeOne(sql.type(KeptText)`
    select s.stack_id, s.plan_output, r.plan_text, r.plan_url, encode(r.plan_hash, 'hex') as plan_hash, r.plan_removed_at, r.reported_at,
      coalesce(r.plan_url is not null and coalesce(octet_length(r.plan_text), 0) < r.plan_bytes, false) as is_cut
    ${withKey(db, ref)}`)) ?? undefined
