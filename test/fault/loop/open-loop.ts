import { join } from 'node:path'
import { migrate } from '#db/migrate.ts'
import { createPool } from '#db/pool.ts'
import { startEmulator } from '#emulator/emulator.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { createLog } from '#log.ts'
import { type ServiceProcess, startServiceProcess } from '#test/bench/memory/service-process.ts'
import { applicationEnv } from '#test/helpers/application-env.ts'
import { playJob } from '#test/helpers/runner.ts'
import { serviceEnvironment } from '#test/helpers/service-environment.ts'
import { until } from '#test/helpers/until.ts'
import type { World } from '#test/helpers/world.ts'
import { addKey, openPull, query, send, stack } from '#test/scenes/scene.ts'
import { type Credentials, createCredentials, sessionKey } from '../fuzz/callers.ts'
import type { ApiDocument } from '../fuzz/document.ts'
import type { Asked } from './other-caller.ts'

/** A service in a process of its own, a repository whose pull requests are hostile, and somebody else's. */
export type Loop = {
  world: World
  process: ServiceProcess
  document: ApiDocument
  prove: Credentials
  pull: PullRequestHandle
  /** A run of the pull request, whose jobs are those that `prove` makes tokens of. */
  runId: string
  /** The run with most stacks, once there is one. */
  large: { runId?: string }
  /** What the other caller asks, of a repository of another organisation. */
  asked: readonly Asked[]
}

type Ground = { databaseUrl: string; dataDir: string; later(stop: () => Promise<unknown>): void }

/** What the code host's pace puts off is not waited for. */
const mostMs = 10_000

const log = createLog({ level: 'silent', format: 'json' })

export const openLoop = async ({ databaseUrl, dataDir, later }: Ground): Promise<Loop> => {
  await migrate(databaseUrl)
  const github = await startEmulator({ dataDir: join(dataDir, 'github'), rateLimit: 10_000_000 })
  later(() => github.close())
  const files = { 'svc.yml': 'version: 1\n' }
  const [repository, others] = await Promise.all(
    ['acme', 'globex'].map(async (owner) => {
      const made = await github.createRepository({ owner, name: 'infra', files })
      made.setPermission('rob', 'write')
      github.createInstallation({ account: owner, type: 'Organization' }).addRepository(made.fullName)
      return made
    }),
  )
  if (!repository || !others) throw new Error('there are not two repositories')
  const env = { ...serviceEnvironment(github, databaseUrl), SVC_SESSION_KEY: sessionKey, SVC_LOG_LEVEL: 'info' }
  const preload = new URL('./turns.ts', import.meta.url).href
  const program = join(import.meta.dirname, '../../../src/main.ts')
  const process = await startServiceProcess({ program, preload, env: applicationEnv(env) })
  later(() => process.stop())
  github.setWebhookUrl(`${process.address}/webhooks/codehost`)
  const pool = await createPool(databaseUrl, { log })
  later(() => pool.end())
  const service = { url: process.address, stop: process.stop }
  const settled = async (): Promise<void> => {
    await github.deliveriesSettled()
    const late = performance.now() + mostMs
    await until(async () => performance.now() > late || !(await isBusy(world)))
  }
  const world: World = { github, repository, service, pool, env, settled }
  await until(async () => (await query(world, 'select from repositories')).length === 2)
  const { pull, runId } = await planning(world)
  // a manual run is of stacks of a known graph
  await planning({ ...world, repository: others })
  const key = await addKey(world, 'other')
  const manual = {
    repo: others.fullName,
    sha: await others.head(),
    mode: 'apply',
    trigger: 'manual',
    stacks: ['a', 'b'],
  }
  const { status, body } = await send(world, key, '/v1/runs', manual)
  if (status !== 201) throw new Error(JSON.stringify(body))
  const document = (await (await fetch(`${process.address}/v1/openapi.json`)).json()) as ApiDocument
  const prove = await createCredentials(world, pull.number)
  const asked = askedOf(others, body.run_id, key)
  return { world, process, document, prove, pull, runId, asked, large: {} }
}

/** A pull request whose run of two stacks is open. */
const planning = async (world: World): Promise<{ pull: PullRequestHandle; runId: string }> => {
  const pull = await openPull(world, {})
  const job = playJob(world, pull, { workflowRunId: 8000 })
  const runId = String((await job.open()).body.run_id)
  const keys = ['a', 'b']
  const { status, body } = await job.upload(runId, { graph: { stacks: keys.map((key) => stack(key)) }, stacks: keys })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { pull, runId }
}

const isBusy = async (world: World): Promise<boolean> => {
  const [row] = await query(
    world,
    `select exists (
      select from jobs where (queue = 'events' or kind = 'publish_run')
        and (state = 'running' or (state = 'queued' and run_at <= now()))) as busy`,
  )
  return row?.busy
}

/** Reads, and a write that takes the lock of a run. */
const askedOf = ({ owner, name }: World['repository'], runId: string, key: string): Asked[] => {
  const headers = { authorization: `Bearer ${key}` }
  const body = JSON.stringify({ mode: 'apply', status: 'success', exit_code: 0, has_changes: false })
  return [
    { method: 'GET', path: `/v1/runs/${runId}`, headers },
    { method: 'GET', path: `/v1/repos/${owner}/${name}/runs`, headers },
    {
      method: 'POST',
      path: `/v1/runs/${runId}/stacks/a/result`,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': String(body.length) },
      body,
    },
  ]
}
