import { z } from 'zod'
import { idAt } from '#domain/month.ts'
import type { Pruned } from '../expired-rows.ts'
import { historyTableNames } from '../history/history-tables.ts'
import { betweenRuns } from '../machines/between-runs.ts'
import { type FragmentSqlToken, nothing, type Pool, sql, type Tx } from '../sql.ts'
import { ofRuns } from '../tenant.ts'
import { transact } from '../transact.ts'

/** Earlier runs were looked at before, unless the service stood still for a month: then they are archived as they are. */
const lookedBackMs = 30 * 24 * 60 * 60 * 1000

const Looked = z.object({ id: z.string(), found_nothing: z.boolean() })

/**
 * Makes little of checks for drift that found nothing before a time, among the `limit` runs after `after`: of their rows and journals
 * nothing stays but, of the newest check of each stack and day, what lists say of it, and the run's last transition. A night's
 * checks of 10,000 stacks are some 30 MB, and say the same as those of the night before.
 */
export const thinDriftRuns = async (
  pool: Pool,
  { after, before, limit }: { after: string | undefined; before: Date; limit: number },
): Promise<Pruned & { last: string | undefined }> => {
  const from = after ?? idAt(new Date(Math.max(0, +before - lookedBackMs)))
  const looked = await pool.any(sql.type(Looked)`
      select r.id, r.status = 'planned' and r.failure is null and r.finished_at < ${before.toISOString()}
        and exists (select from run_stacks x where x.installation_id = r.installation_id and x.run_id = r.id)
        and not exists (select from run_stacks x where x.installation_id = r.installation_id and x.run_id = r.id and x.status <> 'noop')
        and not exists (select from checks c where c.installation_id = r.installation_id and c.run_id = r.id) as found_nothing
      from runs r where r.mode = 'drift' and r.id > ${from} and r.id < ${idAt(before)} order by r.id limit ${limit}`)
  const ids = looked.filter((run) => run.found_nothing).map((run) => run.id)
  if (ids.length > 0) await transact(pool, async (tx) => thin(tx, await locked(tx, ids)))
  return { removed: ids.length, last: looked.at(-1)?.id ?? after, more: looked.length === limit }
}

const IdRow = z.object({ id: z.string() })

/** Those that nobody has: their machines would read what goes. */
const locked = async (tx: Tx, ids: readonly string[]): Promise<string[]> => [
  ...(await tx.anyFirst(sql.type(IdRow)`
    select id from runs where installation_id ${ofRuns(tx, ids)} and id = any(${sql.array([...ids], 'uuid')})
    order by id for no key update skip locked`)),
]

const thin = async (tx: Tx, ids: readonly string[]): Promise<void> => {
  const owners = ofRuns(tx, ids)
  const ofThem = (runId: FragmentSqlToken): FragmentSqlToken =>
    sql.fragment`${runId} = any(${sql.array([...ids], 'uuid')}) and ${betweenRuns(runId, ids)}`
  await tx.query(sql.type(nothing)`
    delete from drift_checks d where d.installation_id ${owners} and d.run_id = any(${sql.array([...ids], 'uuid')})
      and exists (
        select from drift_checks n where n.installation_id = d.installation_id and n.stack_id = d.stack_id
          and (n.checked_at, n.run_id) > (d.checked_at, d.run_id)
          and (n.checked_at at time zone 'UTC')::date = (d.checked_at at time zone 'UTC')::date)
      and not exists (select from drift_states s where s.installation_id = d.installation_id and s.stack_id = d.stack_id
        and s.run_id = d.run_id)`)
  await tx.query(sql.type(nothing)`
    insert into archived_stacks (installation_id, stack_id, mode, created_at, run_id, status, summary, job_url, started_at, finished_at)
    select x.installation_id, x.stack_id, x.mode, x.created_at, x.run_id, x.status, t.body->'summary', t.body->>'job_url',
      x.started_at, x.finished_at
    from run_stacks x join drift_checks d on d.installation_id = x.installation_id and d.stack_id = x.stack_id and d.run_id = x.run_id
    left join results t on t.installation_id = x.installation_id and t.run_id = x.run_id and t.stack_id = x.stack_id
      and ${betweenRuns(sql.fragment`t.run_id`, ids)}
    where x.installation_id ${owners} and ${ofThem(sql.fragment`x.run_id`)} on conflict do nothing`)
  for (const table of historyTableNames) {
    const isLast = sql.fragment`t.kind = 'run' and t.seq = (
      select seq from runs where installation_id = t.installation_id and id = t.run_id)`
    await tx.query(sql.type(nothing)`
      delete from ${sql.identifier([table])} t where t.installation_id ${owners} and ${ofThem(sql.fragment`t.run_id`)}
        ${table === 'journal' ? sql.fragment`and not (${isLast})` : sql.fragment``}`)
  }
  await tx.query(sql.type(nothing)`
    update runs set rev = rev + 1 where installation_id ${owners} and id = any(${sql.array([...ids], 'uuid')})`)
}
