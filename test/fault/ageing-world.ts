import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { migrate } from '#db/migrate.ts'
import { createPool } from '#db/pool.ts'
import { addJobs } from '#db/queue/jobs.ts'
import { type Pool, sql } from '#db/sql.ts'
import { transact } from '#db/transact.ts'
import { type Emulator, startEmulator } from '#emulator/emulator.ts'
import { makeJob } from '#jobs/job.ts'
import { createLog } from '#log.ts'
import { createRuntime } from '#runtime/runtime.ts'
import { startService } from '#service.ts'
import { serviceEnvironment } from '#test/helpers/service-environment.ts'
import type { World } from '#test/helpers/world.ts'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { ringDueTimers } from '#workers/clock/timers.ts'

/** A world in which minutes pass at once. */
export type AgeingWorld = World & {
  /** Resolves when nothing is running or due: work for a later time keeps waiting. */
  quiet(): Promise<void>
  /** Runs now what becomes due within so many minutes, and what a service does every minute and every ten. */
  pass(minutes: number): Promise<void>
  /** How long the service waits for an answer of the code host; by default its own ten seconds. */
  patience(ms: number | undefined): void
  close(): Promise<void>
}

const log = createLog({ level: process.env.SVC_TEST_LOG === undefined ? 'silent' : 'debug', format: 'text' })

/**
 * An emulated GitHub with one repository, whose applies need one approval unless configured otherwise, and the service in this
 * process. Waiting rows are made older instead of setting a clock forward: the tokens of jobs and of the app, and GitHub's
 * timestamps, use the machine's time, and all must use the same time.
 */
export const openAgeingWorld = async (at: {
  databaseUrl: string
  dataDir: string
  apply?: object
  /** Variables of the service besides those of the code host and the database. */
  env?: Record<string, string>
}): Promise<AgeingWorld> => {
  await migrate(at.databaseUrl)
  // hundreds of stories may not use up the hour's request limit of one
  const github = await startEmulator({ dataDir: at.dataDir, rateLimit: 1_000_000 })
  const installation = github.createInstallation({ account: 'acme', type: 'Organization' })
  const policy = { version: 1, apply: at.apply ?? { approvals: 1 } }
  const files = { ...withWorkflow, 'svc.yml': JSON.stringify(policy) }
  const repository = await github.createRepository({ owner: 'acme', name: 'infra', files })
  installation.addRepository(repository.fullName)
  for (const login of ['rob', 'eve']) repository.setPermission(login, 'write')
  const env = { ...serviceEnvironment(github, at.databaseUrl), ...at.env }
  const read = readConfig(env)
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const patient = impatientFetch()
  const service = await startService(read.config, { paced: false, scheduled: false, log, fetch: patient.fetch })
  const pool = await createPool(at.databaseUrl, { log })
  const wake = (): void => github.setWebhookUrl(`${service.url}/webhooks/codehost`)
  wake()
  const quiet = () => untilQuiet(github, pool)
  await quiet()
  return {
    ...{ github, repository, service, pool, env, quiet, settled: quiet },
    patience: patient.set,
    pass: (minutes) => pass(pool, minutes, { wake, quiet }),
    close: async () => {
      await service.stop()
      await pool.end()
      await github.close()
    },
  }
}

/** The service waits ten seconds for an answer that never comes; hundreds of tests should not. */
const impatientFetch = () => {
  let patience: number | undefined
  const impatient: typeof fetch = (input, init) =>
    fetch(input, patience === undefined ? init : { ...init, signal: AbortSignal.timeout(patience) })
  return {
    fetch: impatient,
    set: (ms: number | undefined) => {
      patience = ms
    },
  }
}

const Found = z.object({ found: z.boolean() })

const isBusy = (pool: Pool): Promise<boolean> =>
  pool.oneFirst(sql.type(Found)`
    select exists (select from jobs where state = 'running' or (state = 'queued' and run_at <= now())) as found`)

const untilQuiet = async (github: Emulator, pool: Pool): Promise<void> => {
  for (let look = 0; look < 12_000; look += 1) {
    await github.deliveriesSettled()
    if (!(await isBusy(pool))) return
    await wait(5)
  }
  const left = await pool.any(sql.unsafe`select kind, state, attempt, last_error from jobs where state <> 'done'`)
  throw new Error(`still at work after a minute: ${JSON.stringify(left)}`)
}

/** Makes waiting rows older by so many minutes. */
export const age = async (pool: Pool, minutes: number): Promise<void> => {
  const ago = sql.fragment`make_interval(mins => ${minutes})`
  await pool.query(sql.unsafe`update timers set due_at = due_at - ${ago}`)
  await pool.query(sql.unsafe`update jobs set run_at = run_at - ${ago} where state = 'queued'`)
  await pool.query(sql.unsafe`update dispatches set created_at = created_at - ${ago}`)
  // a run that is older than how a stack stands says nothing of it: who writes meanwhile must see both as they were, or both aged
  await transact(pool, async (tx) => {
    await tx.query(sql.unsafe`update runs set created_at = created_at - ${ago}, started_at = started_at - ${ago}`)
    await tx.query(sql.unsafe`update run_stacks set created_at = created_at - ${ago}`)
    await tx.query(sql.unsafe`
      update stack_standings set run_at = run_at - ${ago}, plan_at = plan_at - ${ago}, apply_at = apply_at - ${ago}`)
  })
}

const pass = async (
  pool: Pool,
  minutes: number,
  { wake, quiet }: { wake(): void; quiet(): Promise<void> },
): Promise<void> => {
  await age(pool, minutes)
  const runtime = createRuntime({ pool, clock: systemClock })
  const timers = { pool, runtime, clock: systemClock, log }
  // GitHub's ping makes the worker look into its queue at once
  const settle = async (): Promise<void> => {
    do {
      wake()
      await quiet()
    } while ((await ringDueTimers(timers)) > 0)
  }
  // first the work that is already due: a comparison with the code host may come later than the event that makes it
  // unnecessary
  await settle()
  const subjects = minutes < 10 ? (['runs'] as const) : (['runs', 'deliveries', 'pull_requests'] as const)
  await addJobs(
    pool,
    subjects.map((what) => makeJob('reconcile', { what }, { cause: null })),
  )
  await settle()
}
