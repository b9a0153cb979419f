import type { Test } from 'tap'
import type { Example } from '#dev/docs/api-example.ts'
import { playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'
import { driftRun } from '#test/scenes/drifting.ts'
import { addKey, dependsOn, openPull, query, send, stack } from '#test/scenes/scene.ts'
import { tellErrorStory } from './error-story.ts'
import { createRecorder } from './recorder.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is whatever the service says
export type Document = any

/** One story against a real service and an emulated code host. The documents take their examples from it. */
export const tellApiStory = async (t: Test): Promise<{ document: Document; examples: Example[] }> => {
  const config = JSON.stringify({ version: 1, stacks: [{ match: 'data', environment: 'production' }] })
  const world = await startWorld(t, { files: { 'svc.yml': config } })
  const mods = await world.github.createRepository({ owner: 'acme', name: 'modules' })
  await query(world, `insert into jobs (queue, kind, payload) values ('jobs', 'sync_installations', '{}') returning id`)
  await mods.pushTags({ name: 'net/v1.4.0', message: 'Net' }, { name: 'net/v1.5.0', message: 'Net' })
  const key = await addKey(world)
  const pull = await openPull(world, { 'network/main.tf': '# new\n' })
  const job = playJob(world, pull, { workflowRunId: 7101 })
  let runner = job
  const { record, examples } = createRecorder(({ as, path, body }) => {
    if (as === 'runner') return body === undefined ? runner.get(path) : runner.post(path, body)
    return send(world, as === 'key' ? key : 'sk_unknown', path, body)
  })
  const get = (operation: string, path: string, more: object = {}) =>
    record({ operation: `GET ${operation}`, as: 'key', path, ...more })
  const post = (operation: string, path: string, as: 'runner' | 'key', body: unknown) =>
    record({ operation: `POST ${operation}`, as, path, body })

  const sha = pull.headSha()
  const opened = await post('/v1/runs', '/v1/runs', 'runner', {
    repo: 'acme/infra',
    sha,
    pr_number: pull.number,
    mode: 'plan',
  })
  const id: string = opened.body.run_id
  const graph = {
    ...{ repo: 'acme/infra', sha, tree_hash: 'a1b2c3' },
    stacks: [stack('network', { tool: 'terraform', tool_version: '1.11.4' }), stack('data', { tool: 'terraform' })],
    modules: [{ key: 'acme/modules//net', kind: 'git', source: 'https://github.com/acme/modules' }],
    edges: [
      dependsOn('data', 'network'),
      {
        from: { kind: 'stack', key: 'network' },
        to: { kind: 'module', key: 'acme/modules//net' },
        type: 'uses_module',
        meta: { ref: 'net/v1.4.0' },
      },
    ],
  }
  await post('/v1/runs/{id}/graph', `/v1/runs/${id}/graph`, 'runner', {
    ...{ graph, changed_paths: ['network/main.tf'], config: { version: 1, tool: 'terraform' } },
  })
  const row = '/v1/runs/{id}/stacks/{key}'
  const rowPath = `/v1/runs/${id}/stacks/network`
  const verdict = { status: 'warn', summary: '2 findings', details_url: 'https://ci.example.com/policy' }
  await post(`${row}/checks/{name}`, `${rowPath}/checks/policy`, 'runner', verdict)
  const result = {
    ...{ mode: 'plan', status: 'success', exit_code: 2, has_changes: true },
    summary: { adds: 1, changes: 0, destroys: 0, replaces: 0, added: ['aws_subnet.a'] },
    ...{ plan_text: 'Plan: 1 to add, 0 to change, 0 to destroy.', job_url: 'https://ci.example.com/jobs/1' },
  }
  await post(`${row}/result`, `${rowPath}/result`, 'runner', result)
  await record({ operation: 'GET /v1/runs/{id}', as: 'runner', path: `/v1/runs/${id}` })
  await record({ operation: 'GET /v1/runs/{id}/config', as: 'runner', path: `/v1/runs/${id}/config` })
  await get(row, `${rowPath}?text=none`)
  await get(`${row}/text`, `/v1/runs/${id}/stacks/data/text`)
  await job.report(id, 'data')
  await world.settled()
  await post(`${row}/result`, `${rowPath}/result`, 'runner', { ...result, exit_code: 1, status: 'failure' })
  const failing = ({ allowed, failures }: Document) => ({ allowed, failures })
  await get('/v1/runs/{id}/gate', `/v1/runs/${id}/gate`, { shown: ['the failures alone', failing] })
  await record({
    ...{ operation: 'POST /v1/runs/{id}/gate', as: 'key', path: `/v1/runs/${id}/gate` },
    ...{ body: { config: 'version: 1\napply: { approvals: 0 }\n' }, shown: ['the failures alone', failing] },
  })
  await pull.merge()
  await world.settled()

  await get('/v1/me', '/v1/me')
  await get('/v1/overview', '/v1/overview', {
    shown: ['without recent_runs', ({ recent_runs: _, ...rest }: Document) => rest],
  })
  await get('/v1/repos', '/v1/repos?limit=1')
  const repo = '/v1/repos/{owner}/{repo}'
  await get(`${repo}/graph`, '/v1/repos/acme/infra/graph?ref=default')
  await get(`${repo}/graph`, '/v1/repos/acme/infra/graph?form=compact')
  await get(`${repo}/runs`, '/v1/repos/acme/infra/runs?mode=plan&status=planned&pr=1')
  const stacks = await get(`${repo}/stacks`, '/v1/repos/acme/infra/stacks?limit=1')
  const stackId: string = stacks.body.items[0].id
  await get('/v1/stacks/{id}/runs', `/v1/stacks/${stackId}/runs`)
  await driftRun(world, stacks.body.items[0].key, 'changes')
  await get('/v1/stacks', '/v1/stacks?drifted=true&limit=1')
  await get('/v1/stacks/{id}/drift', `/v1/stacks/${stackId}/drift`)
  const modules = await get('/v1/modules', '/v1/modules?q=net')
  await get('/v1/modules', '/v1/modules?consumers=none')
  await get('/v1/modules/{id}', `/v1/modules/${modules.body.items[0].id}`)

  const manual = { repo: 'acme/infra', sha, mode: 'apply', trigger: 'manual', stacks: ['network'] }
  const applying = await post('/v1/runs', '/v1/runs', 'key', manual)
  await post('/v1/runs', '/v1/runs', 'key', manual)
  await get('/v1/locks', '/v1/locks?repo=acme/infra')
  const applyId: string = applying.body.run_id
  await get('/v1/machines/{kind}', '/v1/machines/lock', {
    shown: ['with the first of its states', (chart: Document) => ({ ...chart, states: chart.states.slice(0, 1) })],
  })
  await get('/v1/machines/{kind}/{id}', `/v1/machines/run/${applyId}`)
  await get('/v1/machines/{kind}/{id}/journal', `/v1/machines/run/${applyId}/journal?limit=1`)
  await get('/v1/runs/{id}/timeline', `/v1/runs/${applyId}/timeline?limit=1`)
  const unlock = { repo: 'acme/infra', stack_key: 'network', reason: 'its job was cancelled' }
  await post('/v1/unlock', '/v1/unlock', 'key', unlock)
  const network = await query(world, `select id from stacks where key = 'network'`)
  await post('/v1/stacks/{id}/unlock', `/v1/stacks/${network[0]?.id}/unlock`, 'key', { force_state: true })
  await get('/v1/stacks/{id}', `/v1/stacks/${network[0]?.id}`)
  await get('/v1/audit', '/v1/audit?limit=1')
  await get('/v1/search', '/v1/search?q=network')
  await get('/v1/runs', '/v1/runs?repo=acme/infra&status=planned&limit=1')
  await world.settled()

  const dead = await query(
    world,
    `insert into jobs (queue, kind, key, payload, state, attempt, last_error, finished_at)
     values ('jobs', 'sync_installations', 'all', '{}', 'dead', 5, 'github: listing installations: answered 502', now())
     returning id`,
  )
  await get('/v1/queue', '/v1/queue?state=dead')
  await post('/v1/queue/{id}/retry', `/v1/queue/${dead[0]?.id}/retry`, 'key', {})
  await get(`${row}/plan`, `${rowPath}/plan`)
  const again = await post('/v1/runs/{id}/rerun', `/v1/runs/${id}/rerun`, 'key', {})
  await world.settled()
  await get('/v1/runs/{id}/dispatches', `/v1/runs/${again.body.run_id}/dispatches`)
  await record({ operation: 'GET /v1/me', as: 'nobody', path: '/v1/me' })
  await get('/v1/modules', '/v1/modules?limit=none')
  await get('/v1/modules/{id}', '/v1/modules/0192a4c8-5e1d-4f00-8a00-ffffffffffff')
  const { body: document } = await send(world, key, '/v1/openapi.json')
  const play = (other: typeof job) => {
    runner = other
  }
  await tellErrorStory({ world, runId: id, record, play })
  return { document, examples }
}
