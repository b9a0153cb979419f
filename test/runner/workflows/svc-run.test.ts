import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { JobUpdate, RunnerHost, RunUpdate, WorkflowRequest } from '#emulator/actions/contract.ts'
import { createActionsEngine } from '#emulator/actions/engine.ts'
import { safeName } from '#runner/job/work-dir.ts'
import { planningJob, runId } from '#test/runner/job/planning.ts'
import { installClient } from '../client.ts'

/* The shipped svc-run.yml, read and run by the emulator's engine as a dispatch of a wave, with the client and a fake tool. */

const workflowText = readFileSync(join(import.meta.dirname, '../../../src/runner/workflows/svc-run.yml'), 'utf8')

/** An engine that runs dispatches of the workflow in a planning job's repository, as the service would ask for them. */
const dispatcherOf = async (t: Test, files: Record<string, string> = {}) => {
  const job = await planningJob(t, { files })
  installClient(join(job.dir, 'bin'))
  const runs: RunUpdate[] = []
  const jobs = new Map<number, JobUpdate & { log: string; environment?: string | undefined }>()
  let ids = 0
  const host: RunnerHost = {
    serverUrl: 'https://github.example.com',
    apiUrl: 'https://api.github.example.com',
    workDir: join(job.dir, 'runner'),
    newJobId: () => ++ids,
    tokenRequest: ({ id, environment }) => {
      tokensFor.set(id, environment)
      return { url: job.env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '', token: 'request-token' }
    },
    approval: () => undefined,
    onRun: (update) => runs.push(update),
    onJob: (update) => jobs.set(update.id, { log: '', ...jobs.get(update.id), ...update }),
    onLog: (id, text) => {
      const known = jobs.get(id)
      if (known !== undefined) known.log += text
    },
    env: { SVC_CACHE_DIR: join(job.dir, 'cache') },
    path: [join(job.dir, 'bin')],
  }
  const tokensFor = new Map<number, string | undefined>()
  const engine = createActionsEngine(host)
  t.teardown(() => engine.close())
  let runIds = 800
  const dispatch = async (mode: 'plan' | 'apply' | 'drift', entry: object = {}, wave = '0') => {
    const { SVC_SHA: sha = '' } = job.dispatched(mode)
    const common = { stack: 'network', key: 'network', environment: 'default', tool: 'terraform', tool_version: '1.11' }
    const inputs = { run_id: runId, mode, wave, sha, stacks: JSON.stringify({ include: [{ ...common, ...entry }] }) }
    const id = ++runIds
    const request: WorkflowRequest = {
      ...{
        id,
        attempt: 1,
        number: id,
        event: 'workflow_dispatch',
        ref: 'refs/heads/main',
        sha,
        headRef: '',
        baseRef: '',
      },
      repo: { id: 42, owner: 'acme', ownerId: 9, name: 'infra', defaultBranch: 'main' },
      payload: { inputs },
      inputs,
      ...{ workflowPath: '.github/workflows/svc-run.yml', workflowText, actor: 'svc[bot]' },
      gitDir: join(job.root, '.git'),
      vars: { SVC_URL: job.service.url },
    }
    const before = job.results().length
    const conclusion = await engine.start(request).done
    const [ran] = [...jobs.values()].filter(({ runId: of }) => of === id)
    const titles = runs.flatMap((update) => (update.id === id ? (update.displayTitle ?? []) : []))
    if (ran === undefined) throw new Error(`no job: ${JSON.stringify(runs)}`)
    return {
      ...{ id, conclusion, title: titles[0], environment: tokensFor.get(ran.id), results: job.results().slice(before) },
      ...{ name: ran.name, log: ran.log, steps: ran.steps, sha },
    }
  }
  return { ...job, dispatch }
}

t.test('a plan is saved by one dispatch and applied by the next', async (t) => {
  const { dispatch, service } = await dispatcherOf(t)
  const planned = await dispatch('plan')
  if (!t.equal(planned.conclusion, 'success')) t.comment(planned.log)
  t.equal(planned.title, `svc plan ${runId} wave 0 ${planned.sha}`)
  t.equal(planned.name, 'plan network')
  t.equal(planned.environment, 'default')
  const [{ plan_artifact: artifact }] = planned.results as [{ plan_artifact: string }]
  t.equal(artifact, `svc-plan-${safeName('network')}`)
  t.match(planned.log, new RegExp(`artifact ${artifact}: 1 files`))

  const entry = { environment: 'production', artifact, artifact_run: String(planned.id) }
  const applied = await dispatch('apply', entry, '2.1')
  if (!t.equal(applied.conclusion, 'success')) t.comment(applied.log)
  t.equal(applied.title, `svc apply ${runId} wave 2.1 ${applied.sha}`)
  t.equal(applied.environment, 'production', 'tokens are for the environment of the matrix')
  t.match(applied.results, [{ mode: 'apply', status: 'success', has_changes: true }])
  t.match(applied.log, /saved plan svc-plan-network/)
  t.notMatch(applied.log, /the plan goes by/, 'the saved plan is applied, and nothing planned')
  t.match(applied.log, /the apply goes by/)
  t.equal(applied.results.length, 1, 'reported once, by svc run')
  t.match(
    service.asked.filter(({ path }) => path === '/v1/runs').map(({ body }) => body.workflow_run_id),
    [801, 802],
  )
})

t.test('an apply whose saved plan is gone plans again', async (t) => {
  const { dispatch } = await dispatcherOf(t)
  const applied = await dispatch('apply', { artifact: 'svc-plan-gone', artifact_run: '7' })
  if (!t.equal(applied.conclusion, 'success')) t.comment(applied.log)
  t.match(applied.log, /artifact 'svc-plan-gone' was not found in run 7/)
  t.match(applied.log, /the saved plan svc-plan-gone is not there, it may have expired: planning again/)
  t.match(applied.results, [{ mode: 'apply', status: 'success' }])
})

t.test('drift is reported, and saves nothing', async (t) => {
  const { dispatch } = await dispatcherOf(t)
  const drifted = await dispatch('drift')
  if (!t.equal(drifted.conclusion, 'success')) t.comment(drifted.log)
  t.match(drifted.results, [{ mode: 'drift', has_changes: true }])
  t.notMatch(drifted.log, /artifact svc-plan/)
})

t.test('an apply that fails fails its job, and is reported once', async (t) => {
  const { dispatch } = await dispatcherOf(t, { 'network/apply-exit': '1' })
  const failed = await dispatch('apply')
  t.equal(failed.conclusion, 'failure')
  t.match(failed.results, [{ mode: 'apply', status: 'failure', exit_code: 1 }])
})
