import t from 'tap'
import { planningJob, runId } from '../job/planning.ts'
import { json, serverFor } from '../token-server.ts'

t.test('a dispatched job does what its inputs say, once the service has allowed it', async (t) => {
  const table = [
    // mode, exit status, what the service is asked, calls of the tool, what is reported
    ['plan', 2, ['plan'], { mode: 'plan', has_changes: true, plan_artifact: /^svc-plan-network-/ }],
    ['drift', 2, ['plan'], { mode: 'drift', has_changes: true, exit_code: 2, plan_text: /^Plan: 1/ }],
    ['apply', 0, ['plan', 'apply'], { mode: 'apply', has_changes: true, exit_code: 0 }],
  ] as const
  for (const [mode, code, verbs, reported] of table) {
    const job = await planningJob(t)
    const env = job.dispatched(mode)
    const ran = await job.run(['run'], { env })
    t.equal(ran.code, code, ran.stdout)
    t.match(ran.stdout, new RegExp(`^${mode} for run ${runId}, wave 0, at ${env.SVC_SHA}\n`))
    t.match(job.service.asked, [
      {
        path: '/v1/runs',
        body: { run_id: runId, workflow_run_id: 4711, workflow_run_attempt: 1, stacks: ['network'] },
      },
      { path: `/v1/runs/${runId}/stacks/network/result`, body: reported },
    ])
    const called = job.calls().map((call) => call.split(' ')[0] ?? '')
    t.same(
      called.filter((verb) => verb === 'plan' || verb === 'apply'),
      verbs,
    )
    const isLockFree = job.calls().some((call) => /^plan .* -lock=false /.test(call))
    t.equal(isLockFree, mode === 'drift', 'a check for drift takes no lock of the state')
    t.equal(ran.outputs.has_changes, 'true')
    t.equal((ran.outputs.artifact ?? '') !== '', mode === 'plan', 'only a plan is saved')
    t.equal((await job.run(['run', '--changes-ok'], { env })).code, 0)
  }
})

t.test("a plan's result may wait for the job's own verdicts; any other result is reported at once", async (t) => {
  for (const [mode, posted] of [
    ['plan', 0],
    ['drift', 1],
    ['apply', 1],
  ] as const) {
    const job = await planningJob(t)
    const env = job.dispatched(mode)
    await job.run(['run', '--hold-plan'], { env })
    t.equal(job.results().length, posted, mode)
    t.equal((await job.run(['report'], { env })).code, 0)
    t.match(job.results(), [{ mode, status: 'success' }], 'and is reported once')
  }
})

t.test('every missing or wrong input is named, and the tool never started', async (t) => {
  const job = await planningJob(t)
  const none = await job.run(['run', '--json'], { env: { SVC_RUN_ID: '', SVC_STACK: '' } })
  t.equal(none.code, 1)
  t.same(none.json.error.message.split('\n'), [
    'SVC_MODE: is not set: expected plan, apply or drift, from inputs.mode',
    "SVC_RUN_ID: is not set: expected the run's id, from inputs.run_id",
    'SVC_WAVE: is not set: expected the wave, 2 or 2.1, from inputs.wave',
    'SVC_SHA: is not set: expected a full commit id, from inputs.sha',
    "SVC_MATRIX: is not set: expected the job's matrix entry: toJSON(matrix)",
  ])
  const env = job.dispatched('apply')
  const table = [
    [{ SVC_MODE: 'destroy' }, /SVC_MODE: 'destroy' is not plan, apply or drift/],
    [{ SVC_RUN_ID: '12' }, /SVC_RUN_ID: '12' is not the run's id/],
    [{ SVC_WAVE: 'one' }, /SVC_WAVE: 'one' is not the wave, 2 or 2\.1/],
    [{ SVC_SHA: 'main' }, /SVC_SHA: 'main' is not a full commit id/],
    [{ SVC_MATRIX: '{"stack":"network"}' }, /SVC_MATRIX: key: /],
    [{ SVC_SHA: 'b'.repeat(40) }, /is checked out, but the job is for network at b{40}/],
  ] as const
  for (const [wrong, said] of table) {
    const ran = await job.run(['run'], { env: { ...env, ...wrong } })
    t.equal(ran.code, 1)
    t.match(ran.stdout, said)
  }
  t.same([job.service.asked.length, job.read('network/calls')], [0, undefined])
  t.match((await job.run(['run'], { env: { ...env, SVC_WAVE: '2.1' } })).stdout, /^apply for run .*, wave 2\.1, at /)
})

t.test('a plan and a check for drift go on without the service, but not after its refusal', async (t) => {
  const down = await serverFor(t, (_, response) => json(response, 503, { code: 'unavailable', message: 'down' }))
  let isRefused = true
  const job = await planningJob(t, {
    refuse: () => (isRefused ? [409, { code: 'superseded', message: 'a newer commit' }] : undefined),
  })
  const refused = await job.run(['run'], { env: job.dispatched('plan') })
  t.equal(refused.code, 3)
  t.match(refused.stdout, /::error::POST .*\/v1\/runs: the service answered 409 superseded: a newer commit/)
  t.equal(job.read('network/calls'), undefined)
  isRefused = false
  const gone = await job.run(['run'], { env: { ...job.dispatched('drift'), SVC_URL: down.url } })
  t.equal(gone.code, 2, gone.stdout)
  t.match(gone.stdout, /::warning::.*503 unavailable: down.*\. Going on without the service/)
  t.equal((await job.run(['report'], { env: job.dispatched('drift') })).code, 0)
  t.match(job.results(), [{ mode: 'drift', status: 'success' }])
  const env = { ...job.dispatched('drift'), ACTIONS_ID_TOKEN_REQUEST_TOKEN: undefined }
  const unknown = await job.run(['run'], { env })
  t.equal(unknown.code, 1, 'a dispatched job is never from a fork')
  t.match(unknown.stdout, /::error::a dispatched job needs `permissions: id-token: write`/)
})

t.test('drift is what differs from the configuration, not what is only read', async (t) => {
  const read = { address: 'data.x.a', mode: 'data', change: { actions: ['read'] } }
  const same = { address: 'terraform_data.a', mode: 'managed', change: { actions: ['no-op'] } }
  const output = { actions: ['update'] }
  const touched = [{ ...same, change: { actions: ['update'] } }]
  const table = [
    // resource changes, output changes, exit status, whether that is drift, what was changed outside
    [[read, same], {}, 2, false],
    [[read], { host: { actions: ['no-op'] } }, 2, false],
    [[read, { ...same, previous_address: 'terraform_data.b' }], {}, 2, true],
    [[{ ...same, change: { actions: ['no-op'], importing: { id: 'i' } } }], {}, 2, true],
    [[read], { host: output }, 2, true],
    [[], { host: output }, 2, true],
    [[read, { ...same, change: { actions: ['update'] } }], {}, 2, true],
    [[{ ...same, change: { actions: ['forget'] } }], {}, 2, true],
    [[same], {}, 0, false],
    // what the configuration ignores, or what leads to no change
    [[same], {}, 0, false, touched],
    [[read, same], {}, 2, false, touched],
    [[{ ...same, change: { actions: ['update'] } }], {}, 2, true, touched],
    [[{ ...same, change: { actions: ['create'] } }], {}, 2, true, [{ ...same, change: { actions: ['delete'] } }]],
  ] as const
  const job = await planningJob(t)
  const env = job.dispatched('drift')
  for (const [at, [resources, outputs, exit, isDrift, resource_drift]] of table.entries()) {
    const plan = { format_version: '1.2', resource_changes: resources, output_changes: outputs, resource_drift }
    job.write({ 'network/plan.json': JSON.stringify(plan), 'network/exit': String(exit) })
    const ran = await job.run(['drift'], { env })
    t.equal(ran.code, isDrift ? 2 : 0, JSON.stringify(plan))
    const result = job.results()[at]
    t.match(result, { mode: 'drift', status: 'success', has_changes: isDrift })
    t.equal(result.exit_code === 2, isDrift, 'an exit status of 2 would mean changes')
    t.match(ran.stdout, isDrift ? /network: drifted / : /network: no drift/)
  }
})

t.test("in a person's shell drift is checked for and nothing reported", async (t) => {
  const job = await planningJob(t, {
    files: { 'svc.yml': 'version: 1\nchecks: [{ name: never, run: "touch ran" }]\n' },
  })
  const env = { GITHUB_ACTIONS: undefined, ACTIONS_ID_TOKEN_REQUEST_URL: undefined, SVC_RUN_ID: undefined }
  const ran = await job.run(['drift', '--stack', 'network', '--json'], { env })
  t.equal(ran.code, 2)
  t.match(ran.json, { stacks: [{ key: 'network', mode: 'drift', has_changes: true }] })
  t.same([job.service.asked.length, job.read('ran')], [0, undefined], 'checks are for plans and applies')
})
