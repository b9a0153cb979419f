import type { Test } from 'tap'
import { createS3Store } from '#artifacts/s3.ts'
import { archiveHistory } from '#commands/history/archive-history.ts'
import type { ArchiveDeps } from '#commands/history/archive-month.ts'
import { createPool } from '#db/pool.ts'
import type { Pool } from '#db/sql.ts'
import { monthOfRun } from '#domain/month.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { testLog as log } from '#test/helpers/instance.ts'
import { type S3Server, s3Variables, startS3Server } from '#test/helpers/s3-server.ts'
import { startWorld, type World } from '#test/helpers/world.ts'
import { beginApplyOf } from '#test/scenes/applying.ts'
import { dispatched, dispatchedJob, withWorkflow } from '#test/scenes/dispatched.ts'
import { addKey, planning, query, send } from '#test/scenes/scene.ts'

const secret = 'right'
process.env.AWS_ACCESS_KEY_ID = 'AKIATEST'
process.env.AWS_SECRET_ACCESS_KEY = secret

const day = 24 * 60 * 60 * 1000
const keptMs = 365 * day

export const archived = ({ deps }: Story, changes: object = {}): Promise<boolean> =>
  archiveHistory({ ...deps, ...changes }, keptMs, 60_000)

export const monthOf = ({ planId }: Story): string => monthOfRun(planId) as string

/** Without the word that says whence it comes, and where a timeline goes on, which it says only once its entries are some seconds old. */
export const whole = (answers: Map<string, unknown>): unknown =>
  Object.fromEntries(
    [...answers].map(([path, answer]) => {
      const { archived: _, after: __, ...body } = (answer as { body: Record<string, unknown> }).body
      return [path, typeof (answer as { body: unknown }).body === 'string' ? answer : { ...(answer as object), body }]
    }),
  )

export type Story = {
  world: World
  bucket: S3Server
  key: string
  pull: PullRequestHandle
  planId: string
  applyId: string
  /** What the archiver works with: by its clock all that has happened is long ago. */
  deps: ArchiveDeps
  pool(seam: (step: string) => void): Promise<Pool>
  /** Every answer about the runs, by its address. */
  answers(): Promise<Map<string, unknown>>
}

/** A pull request that was planned and applied, with checks, a failed stack and texts that are in the bucket, and unlocked. */
export const archivedStory = async (t: Test): Promise<Story> => {
  const bucket = await startS3Server({ accessKeyId: 'AKIATEST', bucket: 'plans', secret })
  t.teardown(() => bucket.close())
  const variables = { ...s3Variables(bucket, 'plans'), SVC_HISTORY_RETENTION: '8760h' }
  const world = await startWorld(t, { files: withWorkflow, env: variables })
  const key = await addKey(world)
  const { pull, planId, applyId } = await play(world, key)
  const artifacts = await createS3Store({ bucket: 'plans', prefix: '', endpoint: bucket.url, region: 'eu-test-1' })
  const clock = { now: () => new Date(Date.now() + 450 * day) }
  const pause = async (): Promise<void> => {}
  const deps = { pool: world.pool, clock, log, pause, artifacts, signal: new AbortController().signal }
  return {
    ...{ world, bucket, key, pull, planId, applyId, deps },
    pool: async (seam) => {
      const pool = await createPool(world.env.DATABASE_URL as string, { log, seam })
      t.teardown(() => pool.end())
      return pool
    },
    answers: () => answersAbout(world, key, [planId, applyId]),
  }
}

const play = async (world: World, key: string): Promise<Pick<Story, 'pull' | 'planId' | 'applyId'>> => {
  const text = `${'  + a = "größer"\n'.repeat(2000)}end\n`
  const { pull, job, id: planId, stackPath } = await planning(world, ['a', 'b', 'c'])
  await job.post(`${stackPath('b')}/checks/cost`, { status: 'warn', summary: 'dear', details: 'very' })
  for (const stackKey of ['a', 'b', 'c']) await job.report(planId, stackKey, { plan_text: text })
  const waves = [['a', 'b'], ['c']]
  const applyId = await beginApplyOf(world, { pull, waves, planRunId: planId, environment: 'prod' })
  const played = (await dispatched(world, applyId)).play()
  const applying = dispatchedJob(world, played)
  await applying.join(applyId)
  await applying.report(applyId, 'a', { plan_text: 'applied\n' })
  await applying.report(applyId, 'b', { status: 'failure', exit_code: 1, error_text: 'no' })
  played.complete('failure')
  await world.settled()
  for (const stackKey of ['a', 'b', 'c'])
    await send(world, key, '/v1/unlock', { repo: 'acme/infra', stack_key: stackKey, reason: 'done' })
  await world.settled()
  return { pull, planId, applyId }
}

const answersAbout = async (world: World, key: string, runs: readonly string[]): Promise<Map<string, unknown>> => {
  const answers = new Map<string, unknown>()
  for (const path of await pathsOf(world, runs)) {
    const response = await fetch(`${world.service.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    answers.set(path, { status: response.status, body: isJson ? JSON.parse(text) : text })
  }
  return answers
}

const pathsOf = async (world: World, runs: readonly string[]): Promise<string[]> => {
  const paths = ['/v1/overview', '/v1/repos/acme/infra/runs', '/v1/repos/acme/infra/stacks', '/v1/runs?mode=apply']
  for (const run of runs) {
    paths.push(`/v1/runs/${run}`, `/v1/runs/${run}?text=none`, `/v1/runs/${run}/timeline`, `/v1/runs/${run}/dispatches`)
    paths.push(`/v1/repos/acme/infra/graph?run=${run}`, `/v1/machines/run/${run}`, `/v1/machines/run/${run}/journal`)
    for (const stack of ['a', 'b', 'c']) {
      const row = `/v1/runs/${run}/stacks/${stack}`
      paths.push(row, `${row}/plan`, `${row}/text`)
    }
  }
  const machines = await query(
    world,
    `select 'stack/' || run_id || ':' || stack_id as name from archived_stacks
     union select 'stack/' || run_id || ':' || stack_id from run_stacks
     union select 'dispatch/' || id from dispatches order by name`,
  )
  for (const { name } of machines) paths.push(`/v1/machines/${name}`, `/v1/machines/${name}/journal?order=asc`)
  for (const { id } of await query(world, 'select id from stacks order by id'))
    paths.push(
      `/v1/stacks/${id}`,
      `/v1/stacks/${id}/runs`,
      `/v1/stacks/${id}/runs?limit=1`,
      `/v1/machines/lock/${id}/journal`,
    )
  return paths
}
