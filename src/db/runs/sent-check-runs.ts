import { z } from 'zod'
import { nothing, type Reader, sql } from '../sql.ts'
import { ofRun } from '../tenant.ts'

const CheckRunRow = z.object({
  name: z.string(),
  check_run_id: z.number(),
  digest: z.string(),
  stack_id: z.string().nullable(),
})

/** A check run that was created on the code host for a run or one of its stacks, and the digest of its content. */
export type CheckRunRow = z.infer<typeof CheckRunRow>

/** Some of a run's: those with these names, and those of these stacks. */
export type ChosenCheckRuns = { names: readonly string[]; stackIds?: readonly string[] }

export const checkRunsOf = (
  db: Reader,
  runId: string,
  { names, stackIds = [] }: ChosenCheckRuns,
): Promise<readonly CheckRunRow[]> =>
  db.any(sql.type(CheckRunRow)`
    select name, check_run_id, digest, stack_id from check_runs where installation_id = ${ofRun(db, runId)} and run_id = ${runId}
      and (name = any(${sql.array([...names], 'text')}) or stack_id = any(${sql.array([...stackIds], 'uuid')}))`)

/**
 * Remembers it, under the lock that a move of the repository waits for (move-repository.ts). Nothing is remembered for a worker
 * whose installation no longer has the run: rows left behind would meet the same of the run when it comes back. The next one
 * finds the check run on the code host.
 */
export const putCheckRun = async (db: Reader, runId: string, row: CheckRunRow): Promise<void> => {
  await db.query(sql.type(nothing)`
    with run as (
      select installation_id, id from runs where installation_id = ${ofRun(db, runId)} and id = ${runId} for share)
    insert into check_runs (installation_id, run_id, name, check_run_id, digest, stack_id)
    select installation_id, id, ${row.name}, ${row.check_run_id}::int8, ${row.digest}, ${row.stack_id}::uuid from run
    on conflict (installation_id, run_id, name) do update set check_run_id = excluded.check_run_id, digest = excluded.digest,
      stack_id = excluded.stack_id`)
}

/** A stack whose check runs are all at the code host, made of this (untold-stacks.ts). */
export type ToldStack = { stackId: string; madeOf: string }

export const markTold = async (db: Reader, runId: string, stacks: readonly ToldStack[]): Promise<void> => {
  if (stacks.length === 0) return
  await db.query(sql.type(nothing)`
    update check_runs c set made_of = t.made_of
    from ${sql.unnest(
      stacks.map((stack) => [stack.stackId, stack.madeOf]),
      ['uuid', 'int8'],
    )} as t(stack_id, made_of)
    where c.installation_id = ${ofRun(db, runId)} and c.run_id = ${runId} and c.stack_id = t.stack_id`)
}

const NameRow = z.object({ name: z.string() })

/** Names of check runs whose stack is not in the run any more. */
export const checkRunsWithoutStack = async (db: Reader, runId: string): Promise<string[]> => {
  const owner = ofRun(db, runId)
  const rows = await db.any(sql.type(NameRow)`
    select name from check_runs c where installation_id = ${owner} and run_id = ${runId} and stack_id is not null
      and not exists (
        select from run_stacks s where s.installation_id = ${owner} and s.run_id = ${runId} and s.stack_id = c.stack_id)
    order by name`)
  return rows.map(({ name }) => name)
}
