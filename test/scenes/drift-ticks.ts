import { addJobs, type NewJob } from '#db/queue/jobs.ts'
import { nobody } from '#jobs/definition.ts'
import { makeJob } from '#jobs/job.ts'
import { nudge } from '#test/helpers/nudge.ts'
import type { World } from '#test/helpers/world.ts'
import { dispatched, dispatchedJob } from './dispatched.ts'
import { planning, query } from './scene.ts'

/** Queues jobs and waits until nothing is left to do. */
export const work = async (world: World, jobs: NewJob[]): Promise<void> => {
  await addJobs(world.pool, jobs)
  await nudge(world.pool)
  await world.settled()
}

/** The check for what is due, made every minute. */
export const look = (world: World): Promise<void> =>
  work(world, [makeJob('schedule_drift', {}, { ...nobody, cause: null })])

/** Makes the next check overdue by this many minutes, and runs the minute's check. */
export const tick = async (world: World, minutes = 0): Promise<void> => {
  await query(
    world,
    `update repositories set drift_next_at = now() - interval '${minutes} minutes',
       drift_handled_at = drift_handled_at - interval '${minutes} minutes' where drift_schedule is not null`,
  )
  await look(world)
}

/** The recorded schedule of the one repository; `next` in UTC. */
export const settings = async (world: World) =>
  (
    await query(
      world,
      `select drift_schedule as schedule, drift_issues as issues,
         to_char(drift_next_at at time zone 'UTC', 'HH24:MI') as next, drift_next_at > now() as ahead from repositories`,
    )
  )[0]

/** Ids of all drift runs, newest last. */
export const driftRuns = async (world: World): Promise<string[]> =>
  (await query(world, `select id from runs where mode = 'drift' order by created_at, id`)).map(({ id }) => id)

/** A tick that begins a run; returns its id. */
export const begin = async (world: World): Promise<string> => {
  const before = (await driftRuns(world)).length
  await tick(world)
  const runs = await driftRuns(world)
  if (runs.length !== before + 1) throw new Error(`${runs.length - before} runs were begun`)
  return runs.at(-1) ?? ''
}

/** A svc.yml with these settings for drift. */
export const yml = (drift: string): string => `version: 1\ndrift: ${drift}\n`

/** Pushes another svc.yml to the default branch. */
export const push = async (world: World, text: string): Promise<void> => {
  await world.repository.push({ changes: { 'svc.yml': text } })
  await world.settled()
}

export const all = ['app', 'dns', 'network']

/** Under which each of them is applied. */
export const environmentOf = (path: string): string => (path === 'network' ? 'production' : 'default')

/** A pull request that plans every stack. */
export const planAll = async (world: World) => {
  const plan = await planning(world, all, [], (path) => ({ environment: environmentOf(path) }))
  for (const key of all) await plan.job.report(plan.id, key)
  return plan
}

/** Plans every stack in a pull request and merges it: its graph is now the default branch's. */
export const mergeAll = async (world: World): Promise<void> => {
  await (await planAll(world)).pull.merge()
  await world.settled()
}

/** A dispatched drift run, as its jobs see it. */
export const checking = async (world: World, runId: string) => {
  const run = await dispatched(world, runId)
  const played = run.play()
  const job = dispatchedJob(world, played, 'default')
  const reported = (key: string, result: object) => job.report(runId, key, { mode: 'drift', ...result })
  return {
    run,
    played,
    job,
    drifted: (key: string, changes = 1) =>
      reported(key, {
        ...{ exit_code: 2, has_changes: true, job_url: `https://ci.example.com/${key}` },
        summary: { adds: 0, changes, destroys: 0, replaces: 0 },
      }),
    clean: (key: string) => reported(key, { exit_code: 0, has_changes: false }),
    failed: (key: string) => reported(key, { status: 'failure', exit_code: 1, has_changes: undefined }),
    unconfirmed: (key: string) => reported(key, { exit_code: 2, has_changes: true, unconfirmed: true }),
    end: async () => {
      played.complete('success')
      await world.settled()
    },
  }
}

/** How many stacks have drifted by an instance's metrics, once it has counted. */
export const driftedGauge = async ({ service }: World): Promise<number> => {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  return Number(/^svc_drifted_stacks (\d+)$/m.exec(text)?.[1])
}

/** Keys of the stacks whose issue was to be updated, once per request. */
export const issuesAsked = async (world: World): Promise<string[]> => {
  const rows = await query(
    world,
    `select s.key from jobs j join stacks s on s.id = (j.payload->>'stack_id')::uuid
     where j.kind = 'drift_stack' order by s.key`,
  )
  return rows.map(({ key }) => key)
}
