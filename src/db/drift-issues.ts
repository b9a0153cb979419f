import { z } from 'zod'
import type { NewJob } from './jobs.ts'
import { type Reader, sql, type Tx } from './sql.ts'

const DriftIssueRow = z.object({
  wanted_at: z.date(),
  address: z.number().nullable(),
  state: z.enum(['open', 'closed']).nullable(),
  digest: z.string().nullable(),
  problem: z.string().nullable(),
})

/**
 * The wish that the issue of a stack says how the stack stands. In no lane with the installation's other writes: a night in which
 * a thousand stacks drift has a thousand of them, of which GitHub takes one in 3 s, and no apply may wait behind those.
 */
export const driftStackJob = (stackId: string, installationId: number): NewJob => ({
  kind: 'drift_stack',
  key: stackId,
  lane: `issues ${installationId}`,
  payload: { stack_id: stackId },
  cause: null,
})

/** What is known of the issue of a stack; `address` is null where it is not known whether one was opened. */
export type DriftIssueRow = z.infer<typeof DriftIssueRow>

export const findDriftIssue = async (db: Reader, stackId: string): Promise<DriftIssueRow | undefined> =>
  (await db.maybeOne(sql.type(DriftIssueRow)`
    select wanted_at, address, state, digest, problem from drift_issues where stack_id = ${stackId}`)) ?? undefined

type Stack = { id: string; repoId: number }

/**
 * Notes that an issue is about to be opened; what was known of an earlier one is forgotten. False where the default branch has the
 * stack no more: whoever unlists it waits for this note, or has closed what was noted before, and would not hear of one more.
 */
export const wantDriftIssue = async (db: Reader, stack: Stack, at: Date): Promise<boolean> => {
  const wantedAt = at.toISOString()
  const { rowCount } = await db.query(sql.type(z.object({}))`
    with listed as (select id from stacks where id = ${stack.id} and listed for share)
    insert into drift_issues (stack_id, repo_id, wanted_at)
    select id, ${stack.repoId}::int8, ${wantedAt}::timestamptz from listed
    on conflict (stack_id) do update set repo_id = excluded.repo_id, wanted_at = excluded.wanted_at,
      address = null, number = null, url = null, state = null, digest = null`)
  return rowCount > 0
}

/** Notes how an issue was left. */
export const putDriftIssue = async (
  db: Reader,
  stackId: string,
  issue: { address: number; number: number; url: string; state: 'open' | 'closed'; digest: string },
): Promise<void> => {
  await db.query(sql.type(z.object({}))`
    update drift_issues set address = ${issue.address}, number = ${issue.number}, url = ${issue.url},
      state = ${issue.state}, digest = ${issue.digest}, problem = null
    where stack_id = ${stackId}`)
}

export const dropDriftIssue = async (db: Reader, stackId: string): Promise<void> => {
  await db.query(sql.type(z.object({}))`delete from drift_issues where stack_id = ${stackId}`)
}

/** Notes what the code host said no with. True where no stack of the repository had met it before. */
export const noteDriftIssueProblem = async (tx: Tx, stack: Stack, problem: string, at: Date): Promise<boolean> => {
  const isKnown = await tx.exists(sql.type(z.object({}))`
    select from drift_issues where repo_id = ${stack.repoId} and problem = ${problem}`)
  await tx.query(sql.type(z.object({}))`
    insert into drift_issues (stack_id, repo_id, wanted_at, problem)
    values (${stack.id}, ${stack.repoId}, ${at.toISOString()}, ${problem})
    on conflict (stack_id) do update set problem = excluded.problem`)
  return !isKnown
}

const Unlisted = z.object({ stack_id: z.string(), installation_id: z.number() })

/**
 * The wishes that the issues of stacks which the default branch has no more are closed: no check will come to say so. Those too
 * of which it is not known what became: one may be about to be opened.
 */
export const driftIssuesOfUnlisted = async (tx: Tx, repoId: number): Promise<NewJob[]> => {
  const rows = await tx.any(sql.type(Unlisted)`
    select i.stack_id, r.installation_id
    from drift_issues i join stacks s on s.id = i.stack_id join repositories r on r.id = i.repo_id
    where i.repo_id = ${repoId} and i.state is distinct from 'closed' and not s.listed order by i.stack_id`)
  return rows.map((row) => driftStackJob(row.stack_id, row.installation_id))
}
