import { setTimeout as wait } from 'node:timers/promises'
import { databaseTrouble } from '#db/database-trouble.ts'
import { type HistoryTable, historyTableNames } from '#db/history/history-tables.ts'
import { makePartition } from '#db/history/partitions.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { idAt, monthAfter } from '#domain/month.ts'
import { makeJob } from '#jobs/job.ts'
import { addKey, query, send } from '#test/scenes/scene.ts'
import type { Happening } from './happenings.ts'
import { inTime, type Life } from './life.ts'

const runs = 40
const stacks = 5
let months = 0

/** Years ago many runs planned and ended; their month is in the tables, and nobody needs it. */
const addOldMonth = async (life: Life, month: string): Promise<string> => {
  const [world] = life.worlds
  if (!world) throw new Error('there is no repository')
  for (const table of historyTableNames)
    await inTime(life, `the month ${month} of ${table} was not made`, () => isMade(life, table, month))
  const begun = new Date(`${month}-10T00:00:00Z`)
  const prefix = `${idAt(begun).slice(0, 14)}7abc-8000-`
  const of = `generate_series(1, ${runs}) n cross join lateral (select ('${prefix}' || lpad(n::text, 12, '0'))::uuid as run_id) r`
  const ofStacks = `${of} cross join generate_series(1, ${stacks}) k
    cross join lateral (select md5('old stack ' || k)::uuid as stack_id) s`
  const at = `'${begun.toISOString()}'::timestamptz`
  const snapshot = `'{"value": "planned", "context": {"tallies": []}}'`
  const owner = `(select installation_id from repositories where id = ${world.repository.id})`
  await query(
    world,
    `with old_runs as (
      insert into runs (installation_id, id, repo_id, sha, mode, trigger, requested_by, status, waves, snapshot, version, seq, created_at, finished_at)
      select ${owner}, run_id, ${world.repository.id}, repeat('e', 40), 'plan', 'push', 'ada', 'planned', 1, ${snapshot}, 1, 0, ${at}, ${at} from ${of}
    ), old_stacks as (
      insert into run_stacks (installation_id, run_id, stack_id, key, path, wave, reasons, status, version, seq, mode, created_at, finished_at)
      select ${owner}, run_id, stack_id, 'old/' || k, 'old/' || k, 0, '{changed}', 'planned', 1, 0, 'plan', ${at}, ${at} from ${ofStacks}
    ), old_results as (
      insert into results (installation_id, run_id, stack_id, body, plan_text, reported_at)
      select ${owner}, run_id, stack_id, '{"mode": "plan", "status": "success", "exit_code": 2}', 'Plan: 1 to add', ${at} from ${ofStacks})
    insert into journal (installation_id, kind, run_id, subject_id, seq, event, actor, state_to, actions, at)
    select ${owner}, 'run', run_id, run_id, 0, '{"type": "created"}', 'ada', 'planned', '[]', ${at} from ${of}`,
  )
  return `${prefix}${String(runs).padStart(12, '0')}`
}

/** A table that is in use is given up after a moment. */
const isMade = async ({ pool }: Life, table: HistoryTable, month: string): Promise<boolean> => {
  try {
    await makePartition(pool, table, month)
    return true
  } catch (error) {
    if (databaseTrouble(error) !== 'held') throw error
    return false
  }
}

const isDropped = async ({ worlds: [world] }: Life, month: string): Promise<boolean> =>
  world !== undefined &&
  (await query(world, `select 1 from archived_months where month = '${month}' and dropped_at is not null`)).length > 0

const isWhole = async (life: Life, runId: string): Promise<boolean> => {
  const [world] = life.worlds
  if (!world) return false
  const key = await addKey(world, `reader ${runId}`)
  const { status, body } = await send(world, key, `/v1/runs/${runId}`).catch(() => ({ status: 0, body: {} }))
  return status === 200 && body.archived === true && body.stacks?.length === stacks
}

/** While it goes on, the instance that may be at it is killed; whoever has the job then goes on where it was. */
export const monthArchived: Happening = {
  name: 'a month is archived, and instance A killed meanwhile',
  happen: async (life, { away }) => {
    const month = monthAfter('2020-01', months)
    months += 1
    const runId = await addOldMonth(life, month)
    await addJobs(life.pool, [makeJob('archive_history', {}, { cause: null })])
    const [instance] = life.instances
    await wait(300)
    await instance?.kill()
    await wait(away * 500)
    await instance?.start()
    await inTime(life, `the month ${month} was not archived`, () => isDropped(life, month))
    await inTime(life, `run ${runId} could not be read from the archive`, () => isWhole(life, runId))
  },
}
