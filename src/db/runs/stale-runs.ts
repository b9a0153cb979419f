import { z } from 'zod'
import { isHeld } from '#db/machines/locks.ts'
import type { PullRequestRow } from '#db/repositories/pull-requests.ts'
import { heldStates } from '#domain/lock-state.ts'
import { openApplyStatuses, stackStatuses } from '#domain/run-status.ts'
import { literals, type Reader, sql } from '../sql.ts'
import { ofRepository } from '../tenant.ts'

const StaleRun = z.object({ id: z.string(), mode: z.enum(['plan', 'apply']) })

/** A run of a pull request that a newer state of the pull request replaces. */
export type StaleRun = z.infer<typeof StaleRun>

/**
 * Runs of other commits than the head: plans in any state, since none of them may be applied any more, and unfinished applies.
 * With `alsoOfHead`, those of the head too. A plan whose rows are in the bucket stays as it is: none is applied by it anyway, and the row of its
 * journal would bring its month back.
 */
export const staleRuns = (
  db: Reader,
  pull: Pick<PullRequestRow, 'repo_id' | 'number' | 'head_sha'>,
  alsoOfHead: boolean,
): Promise<readonly StaleRun[]> =>
  db.any(sql.type(StaleRun)`
    select id, mode from runs
    where installation_id = ${ofRepository(db, pull.repo_id)} and repo_id = ${pull.repo_id} and pr_number = ${pull.number}
      and (sha <> ${pull.head_sha} or ${alsoOfHead})
      and ((mode = 'plan' and status <> 'superseded') or (mode = 'apply' and status in ${literals(openApplyStatuses)}))
      and not exists (
        select from archived_runs a where a.installation_id = runs.installation_id and a.run_id = runs.id and a.dropped)
    order by id`)

const Holder = z.object({
  stack_id: z.string(),
  state: z.enum(heldStates),
  run_id: z.string(),
  status: z.enum(stackStatuses).nullable(),
})

/** A lock that a pull request holds: by which run, and the status of the stack in that run. */
export type Holder = z.infer<typeof Holder>

export const holdersOfPullRequest = (db: Reader, repoId: number, prNumber: number): Promise<readonly Holder[]> =>
  db.any(sql.type(Holder)`
    select l.stack_id, l.state, l.run_id, x.status from locks l join stacks s on s.installation_id = l.installation_id and s.id = l.stack_id
    left join run_stacks x on x.installation_id = l.installation_id and x.run_id = l.run_id and x.stack_id = l.stack_id
    where l.installation_id = ${ofRepository(db, repoId)} and l.pr_number = ${prNumber} and ${isHeld(sql.fragment`l`)}
      and s.repo_id = ${repoId}
    order by l.stack_id`)
