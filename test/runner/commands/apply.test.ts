import { existsSync } from 'node:fs'
import t from 'tap'
import { applyingJob } from '../job/applying.ts'
import { runId } from '../job/planning.ts'

const artifact = { artifact: 'svc-plan-network', artifact_run: '4700' }

t.test('without a saved plan a stack is planned, and exactly that plan applied', async (t) => {
  const job = await applyingJob(t)
  const ran = await job.apply()
  t.equal(ran.code, 0, ran.stdout)
  t.same(job.verbs(), ['version', 'init', 'plan', 'show', 'show', 'apply'])
  const out = /-out=(\S+)/.exec(job.read('network/calls')!)?.[1]
  t.equal(job.calls().at(-1), `apply -input=false -no-color -lock-timeout=5m ${out}`)
  t.equal(job.read('network/applied'), 'saved\n')
  t.notOk(existsSync(out!), 'no plan is left behind')
  const [bound, reported] = job.service.asked
  t.same(bound?.body, { run_id: runId, workflow_run_id: 4711, workflow_run_attempt: 1, stacks: ['network'] })
  t.match(reported?.body, {
    mode: 'apply',
    status: 'success',
    exit_code: 0,
    has_changes: true,
    summary: { adds: 1, added: ['terraform_data.a'] },
    plan_text: 'Plan: 1 to add, 0 to change, 0 to destroy.\n',
    job_url: 'https://github.example.com/acme/infra/actions/runs/4711/attempts/1',
    tool: 'terraform',
    tool_version: '1.11.4',
    backend: { type: 'local' },
  })
  t.equal(reported?.body.plan_artifact, undefined)
  t.match(ran.stdout, /::group::terraform apply \(network\)\n::stop-commands::(\S+)\nthe apply goes by\n::\1::\n/)
  t.match(ran.stdout, /network: applied \+1 ~0 -0 ±0/)
  t.match(ran.summary, /<code>network<\/code>: applied \+1/)
  t.same(ran.outputs, { has_changes: 'true' })
})

t.test('a saved plan is shown and applied as it is', async (t) => {
  const job = await applyingJob(t, {}, artifact)
  const path = job.download('of the pull request\n')
  const ran = await job.apply(['--json'])
  t.equal(ran.code, 0, ran.stderr)
  t.same(job.verbs(), ['version', 'init', 'show', 'show', 'apply'])
  t.equal(job.read('network/applied'), 'of the pull request\n')
  t.notOk(existsSync(path))
  t.match(ran.stderr, /::group::saved plan svc-plan-network \(network\)\nPlan: 1 to add/)
  t.match(job.results(), [{ status: 'success', has_changes: true, summary: { adds: 1 }, plan_text: /^Plan: 1 to add/ }])
  t.match(ran.json, { stacks: [{ key: 'network', status: 'success', mode: 'apply' }] })
})

t.test('a saved plan that cannot be used is reported, and the stack planned again', async (t) => {
  const anew = ['plan', 'show', 'show', 'apply']
  await t.test('it is stale', async (t) => {
    const job = await applyingJob(
      t,
      { files: { 'network/stale': '\nError: Saved plan is stale\n\nThe given\n' } },
      artifact,
    )
    job.download('of the pull request\n')
    const ran = await job.apply()
    t.equal(ran.code, 0, ran.stdout)
    t.same(job.verbs().slice(4), ['apply', ...anew])
    t.match(
      ran.stdout,
      /::warning::network: the saved plan svc-plan-network is stale, its state or its providers have changed since: planning again/,
    )
    t.equal(job.read('network/applied'), 'saved\n')
    t.match(job.results(), [{ status: 'success', exit_code: 0 }])
  })
  await t.test('it is not there', async (t) => {
    const job = await applyingJob(t, {}, artifact)
    const ran = await job.apply()
    t.same([ran.code, job.verbs().slice(2)], [0, anew])
    t.match(ran.stdout, /::warning::network: the saved plan svc-plan-network is not there, it may have expired/)
  })
  await t.test('it cannot be read', async (t) => {
    const job = await applyingJob(t, { files: { 'network/plan.json': '{"format_version":"2.0"}' } }, artifact)
    job.download('of another version\n')
    const ran = await job.apply()
    t.equal(ran.code, 1, 'nor can the new one')
    t.match(ran.stdout, /::warning::network: the saved plan svc-plan-network cannot be read: planning again/)
    t.notOk(job.verbs().includes('apply'), 'what cannot be masked is not applied')
    t.match(job.results(), [{ mode: 'apply', status: 'error', error_text: /only format 1 is known/ }])
  })
  await t.test('it was left by another job', async (t) => {
    const job = await applyingJob(t)
    job.download('of another commit\n')
    t.equal((await job.apply()).code, 0)
    t.equal(job.read('network/applied'), 'saved\n')
  })
})

t.test('without changes nothing is applied', async (t) => {
  const job = await applyingJob(t, {
    files: {
      'network/exit': '0',
      'network/plan.json': '{"format_version":"1.2"}',
      'network/plan.txt': 'No changes.\n',
    },
  })
  const ran = await job.apply()
  t.equal(ran.code, 0)
  t.notOk(job.verbs().includes('apply'))
  t.match(job.results(), [
    {
      mode: 'apply',
      status: 'success',
      exit_code: 0,
      has_changes: false,
      summary: { adds: 0 },
      plan_text: 'No changes.\n',
    },
  ])
  t.match(ran.stdout, /network: nothing to apply/)
  t.same(ran.outputs, { has_changes: 'false' })
})

t.test('a failed apply is reported with the end of its errors, and without counts', async (t) => {
  const job = await applyingJob(t, {
    files: { 'network/apply-exit': '1', 'network/apply-stderr': `${'filler\n'.repeat(20_000)}Error: no quota\n` },
  })
  const ran = await job.apply()
  t.equal(ran.code, 1)
  const [result] = job.results()
  t.match(result, {
    mode: 'apply',
    status: 'failure',
    exit_code: 1,
    plan_text: /^Plan: 1 to add/,
    error_text: /Error: no quota\n\nterraform apply ended with exit status 1$/,
  })
  t.ok(result.error_text.length <= 16 * 1024)
  t.notOk('summary' in result || 'has_changes' in result)
  job.write({ 'network/exit': '1' })
  t.equal((await job.apply()).code, 1, 'and so does a plan that fails')
  t.match(job.results()[1], { mode: 'apply', error_text: /terraform plan ended with exit status 1$/ })
})

t.test('checks of an apply run after it, and report before its result', async (t) => {
  const checks = [
    '{ name: early, run: "exit 1" }',
    '{ name: smoke, run: "cat network/applied; echo smoke of $SVC_STACK", on: apply }',
  ]
  const job = await applyingJob(t, {
    files: { 'svc.yml': `version: 1\nchecks:\n${checks.map((one) => `  - ${one}\n`).join('')}` },
  })
  const ran = await job.apply()
  t.equal(ran.code, 0)
  t.match(
    job.service.asked.map(({ path, body }) => [path.split('/').at(-1), body.status, body.summary]),
    [
      ['runs', undefined, undefined],
      ['smoke', 'pass', 'smoke of network'],
      ['result', 'success', { adds: 1 }],
    ],
  )
  job.write({ 'network/apply-exit': '1' })
  await job.apply()
  t.equal(job.service.asked.filter(({ path }) => path.includes('/checks/')).length, 1, 'not after a failed one')
})

t.test(
  'nothing secret of an apply is sent: nothing of its plan, and nothing that the apply itself created',
  async (t) => {
    const change = { actions: ['create'], after: { password: 'correct-horse' }, after_sensitive: { password: true } }
    const made = { values: { key: 'made-by-apply' }, sensitive_values: { key: true } }
    const job = await applyingJob(t, {
      files: {
        'network/plan.json': JSON.stringify({
          format_version: '1.2',
          resource_changes: [{ address: 'terraform_data.a["correct-horse"]', mode: 'managed', change }],
        }),
        'network/plan.txt': 'copy = "correct-horse"\n',
        'network/state.json': JSON.stringify({ values: { root_module: { resources: [made] } } }),
        'network/apply-stderr': 'Error: correct-horse, made-by-apply and env-secret-1 are wrong\n',
        'network/apply-exit': '1',
      },
    })
    const env = { TF_VAR_api_token: 'env-secret-1' }
    t.equal((await job.apply([], { env })).code, 1)
    t.match(job.results()[0], {
      plan_text: 'copy = "***"\n',
      error_text: /^Error: \*\*\*, \*\*\* and \*\*\* are wrong\n/,
    })
    job.write({ 'network/apply-exit': '0' })
    t.equal((await job.apply([], { env })).code, 0)
    t.match(job.results()[1], { summary: { added: ['terraform_data.a["***"]'] } })
    const sent = JSON.stringify(job.service.asked)
    for (const text of ['correct-horse', 'made-by-apply', 'env-secret-1']) t.notMatch(sent, text)
  },
)

/** Variables that are declared sensitive, with a value of each place that gives one. */
const declared = {
  files: {
    'network/variables.tf': ['given', 'found', 'named']
      .map((name) => `variable "${name}" {\n  sensitive = true\n}\n`)
      .join(''),
    'network/a.auto.tfvars': 'found = "of-a-file-1"\n',
    'some.tfvars': 'named = "of-var-file-1"\n',
    'svc.yml': 'version: 1\nstacks: [{ match: network, var_files: [../some.tfvars] }]\n',
  },
  env: { TF_VAR_given: 'of-environment-1' },
  texts: ['of-a-file-1', 'of-var-file-1', 'of-environment-1'].flatMap((text) => [text, btoa(text)]),
}

t.test(
  'values of variables that are declared sensitive are hidden, in base64 too, though no plan marks them',
  async (t) => {
    const { files, env, texts } = declared
    const job = await applyingJob(t, {
      files: {
        ...files,
        'network/plan.txt': `user_data = "${texts.join(' ')}"\n`,
        'network/apply-stderr': `Error: ${texts.join(' ')}; plain\n`,
        'network/apply-exit': '1',
      },
    })
    const ran = await job.apply([], { env })
    t.equal(ran.code, 1)
    const hidden = texts.map(() => '***').join(' ')
    t.match(job.results(), [{ plan_text: `user_data = "${hidden}"\n`, error_text: `Error: ${hidden}; plain\n` }])
    for (const text of texts) t.notMatch(JSON.stringify(job.service.asked) + ran.summary, text)

    job.write({ 'network/exit': '1', 'network/stderr': `Error: ${texts.join(' ')}; plain\n` })
    t.equal((await job.apply([], { env })).code, 1)
    t.match(job.results()[1], { error_text: `Error: ${hidden}; plain\n` }, 'and of a plan that failed in an apply')
  },
)

t.test('no text is sent or shown of a stack whose plans are kept back', async (t) => {
  const job = await applyingJob(t, {}, { plan_output: 'summary' })
  const ran = await job.apply()
  t.equal(ran.code, 0)
  t.match(job.results(), [{ status: 'success', summary: { adds: 1 } }])
  t.notOk('plan_text' in job.results()[0])
  t.notMatch(ran.stdout, /the (plan|apply) goes by/)
  job.write({ 'network/apply-exit': '1', 'network/apply-stderr': 'Error: quoted\n' })
  const failed = await job.apply()
  t.notMatch(JSON.stringify(job.results()[1]), /quoted/)
  t.match(failed.stdout, /Error: quoted/, 'its errors are in the log')
})

t.test(
  'a tool of another version than the pinned one applies nothing: the pinned one could not read its state',
  async (t) => {
    const job = await applyingJob(t, {}, { tool_version: '1.9' })
    t.equal((await job.apply()).code, 1)
    t.same(job.verbs(), ['version'])
    t.match(job.results(), [
      {
        status: 'failure',
        error_text: 'network is pinned to terraform 1.9, but terraform is 1.11.4: nothing is applied',
      },
    ])
  },
)
