import { z } from 'zod'
import { type Reader, sql } from './sql.ts'

const StaleRun = z.object({ id: z.string(), mode: z.enum(['plan', 'apply']) })

/** A run of a pull request that a newer state of the pull request replaces. */
export type StaleRun = z.infer<typeof StaleRun>

/**
 * Runs of other commits than the head: plans in whatever state, since none of them may be applied any more, and applies that
 * have not ended. With `alsoOfHead` those of the head too.
 */
export const staleRuns = (
  db: Reader,
  pull: { repoId: number; number: number; headSha: string },
  alsoOfHead: boolean,
): Promise<readonly StaleRun[]> =>
  db.any(sql.type(StaleRun)`
    select id, mode from runs
    where repo_id = ${pull.repoId} and pr_number = ${pull.number} and (sha <> ${pull.headSha} or ${alsoOfHead})
      and ((mode = 'plan' and status <> 'superseded') or (mode = 'apply' and status in ('pending', 'applying')))
    order by id`)

const HolderRow = z.object({
  stack_id: z.string(),
  state: z.string(),
  run_id: z.string(),
  status: z.string().nullable(),
})

/** The locks that a pull request holds: by which run, and how their stack stands in that run. */
export const holdersOfPullRequest = (db: Reader, repoId: number, prNumber: number) =>
  db.any(sql.type(HolderRow)`
    select l.stack_id, l.state, l.run_id, x.status from locks l join stacks s on s.id = l.stack_id
    left join run_stacks x on x.run_id = l.run_id and x.stack_id = l.stack_id
    where l.pr_number = ${prNumber} and l.state <> 'free' and l.run_id is not null and s.repo_id = ${repoId}
    order by l.stack_id`)
