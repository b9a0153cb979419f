import { z } from 'zod'
import { changedByApplyStatuses, doneByApplyStatuses, openApplyStatuses } from '#domain/run-status.ts'
import { literals, type Reader, sql } from '../sql.ts'
import { ofRepository } from '../tenant.ts'

const IdRow = z.object({ id: z.string() })

/** An unfinished apply of a pull request. */
export const findOpenApply = async (db: Reader, repoId: number, prNumber: number): Promise<string | undefined> => {
  const row = await db.maybeOne(sql.type(IdRow)`
    select id from runs
    where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and pr_number = ${prNumber} and mode = 'apply'
      and status in ${literals(openApplyStatuses)}
    order by created_at desc, id desc limit 1`)
  return row?.id
}

/** Whether the merge of a pull request has started its apply. */
export const hasMergeApply = (db: Reader, repoId: number, prNumber: number): Promise<boolean> =>
  db.exists(sql.type(IdRow)`
    select id from runs
    where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and pr_number = ${prNumber} and mode = 'apply'
      and trigger = 'push'`)

const KeyPlanRunIdRow = z.object({ key: z.string(), plan_run_id: z.string() })

/**
 * Stacks that an apply brought to the state of one of these plan runs, each with that plan run. Leaves out stacks that another
 * run changed since, after a lock was released.
 */
export const appliedByPlans = (
  db: Reader,
  repoId: number,
  planRunIds: readonly string[],
): Promise<readonly { key: string; plan_run_id: string }[]> =>
  db.any(sql.type(KeyPlanRunIdRow)`
    select distinct s.key, s.plan_run_id from runs r join run_stacks s on s.installation_id = r.installation_id and s.run_id = r.id
    where r.installation_id = ${ofRepository(db, repoId)} and r.repo_id = ${repoId} and r.mode = 'apply'
      and s.status in ${literals(doneByApplyStatuses)}
      and s.plan_run_id = any(${sql.array([...planRunIds], 'uuid')})
      and not exists (
        select 1 from run_stacks o join runs q on q.installation_id = o.installation_id and q.id = o.run_id
        where o.installation_id = s.installation_id and o.stack_id = s.stack_id and o.mode = 'apply' and o.created_at > s.created_at
          and q.pr_number is distinct from r.pr_number
          and (o.status = 'applying' or o.status in ${literals(changedByApplyStatuses)}))`)

const ShaRow = z.object({ sha: z.string() })

/** The commit that was last planned before a time: what the author of a comment at that time could have read. */
export const plannedShaAt = async (
  db: Reader,
  repoId: number,
  prNumber: number,
  at: Date,
): Promise<string | undefined> => {
  const row = await db.maybeOne(sql.type(ShaRow)`
    select sha from runs
    where installation_id = ${ofRepository(db, repoId)} and repo_id = ${repoId} and pr_number = ${prNumber} and mode = 'plan'
      and created_at <= ${at.toISOString()}
    order by created_at desc, id desc limit 1`)
  return row?.sha
}
