import { z } from 'zod'
import { type Job, makeJob } from '#jobs/job.ts'
import { nothing, type Reader, sql, type Tx } from '../sql.ts'
import { ofRepository, ofStack } from '../tenant.ts'

const DriftIssueRow = z.object({
  wanted_at: z.date(),
  address: z.number().nullable(),
  state: z.enum(['open', 'closed']).nullable(),
  digest: z.string().nullable(),
  problem: z.string().nullable(),
})

/** What is known of a stack's issue; `address` is null while it is not known whether an issue was opened. */
export type DriftIssueRow = z.infer<typeof DriftIssueRow>

export const findDriftIssue = async (db: Reader, stackId: string): Promise<DriftIssueRow | undefined> =>
  (await db.maybeOne(sql.type(DriftIssueRow)`
    select wanted_at, address, state, digest, problem from drift_issues
    where installation_id = ${ofStack(db, stackId)} and stack_id = ${stackId}`)) ?? undefined

type Stack = { id: string; repoId: number }

/**
 * Notes that an issue is about to be opened, and forgets what was known of an earlier one. False if the default branch no
 * longer has the stack: the transaction that unlists it waits for this note, or has already closed what was noted before and
 * would not see a new issue.
 */
export const wantDriftIssue = async (db: Reader, stack: Stack, at: Date): Promise<boolean> => {
  const wantedAt = at.toISOString()
  const { rowCount } = await db.query(sql.type(nothing)`
    with listed as (
      select installation_id, id from stacks
      where installation_id = ${ofStack(db, stack.id)} and id = ${stack.id} and listed for share)
    insert into drift_issues (installation_id, stack_id, repo_id, wanted_at)
    select installation_id, id, ${stack.repoId}::int8, ${wantedAt}::timestamptz from listed
    on conflict (installation_id, stack_id) do update set repo_id = excluded.repo_id, wanted_at = excluded.wanted_at,
      address = null, number = null, url = null, state = null, digest = null`)
  return rowCount > 0
}

/** Notes the state in which the issue was left. */
export const putDriftIssue = async (
  db: Reader,
  stackId: string,
  issue: { address: number; number: number; url: string; state: 'open' | 'closed'; digest: string },
): Promise<void> => {
  await db.query(sql.type(nothing)`
    update drift_issues set address = ${issue.address}, number = ${issue.number}, url = ${issue.url},
      state = ${issue.state}, digest = ${issue.digest}, problem = null
    where installation_id = ${ofStack(db, stackId)} and stack_id = ${stackId}`)
}

export const dropDriftIssue = async (db: Reader, stackId: string): Promise<void> => {
  await db.query(sql.type(nothing)`
    delete from drift_issues where installation_id = ${ofStack(db, stackId)} and stack_id = ${stackId}`)
}

/** Notes why the code host refused. True if no stack of the repository met this refusal before. */
export const noteDriftIssueProblem = async (tx: Tx, stack: Stack, problem: string, at: Date): Promise<boolean> => {
  const isKnown = await tx.exists(sql.type(nothing)`
    select from drift_issues where installation_id = ${ofRepository(tx, stack.repoId)} and repo_id = ${stack.repoId}
      and problem = ${problem}`)
  await tx.query(sql.type(nothing)`
    insert into drift_issues (installation_id, stack_id, repo_id, wanted_at, problem)
    values (${ofRepository(tx, stack.repoId)}, ${stack.id}, ${stack.repoId}, ${at.toISOString()}, ${problem})
    on conflict (installation_id, stack_id) do update set problem = excluded.problem`)
  return !isKnown
}

const Unlisted = z.object({ stack_id: z.string(), installation_id: z.number() })

/**
 * The jobs that close the issues of stacks that the default branch no longer has: no check will come for them. Includes issues
 * whose fate is not known: one may be about to be opened.
 */
export const driftIssuesOfUnlisted = async (tx: Tx, repoId: number): Promise<Job[]> => {
  const rows = await tx.any(sql.type(Unlisted)`
    select i.stack_id, r.installation_id
    from drift_issues i join stacks s on s.installation_id = i.installation_id and s.id = i.stack_id
    join repositories r on r.id = i.repo_id
    where i.installation_id = ${ofRepository(tx, repoId)} and i.repo_id = ${repoId} and i.state is distinct from 'closed'
      and not s.listed order by i.stack_id`)
  return rows.map(({ stack_id, installation_id: installationId }) =>
    makeJob('drift_stack', { stack_id }, { installationId, cause: null }),
  )
}
