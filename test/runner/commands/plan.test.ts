import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { git, planningJob, runId } from '../job/planning.ts'

t.test('a plan is reported with what it found, and its exit status says whether there are changes', async (t) => {
  const job = await planningJob(t)
  const ran = await job.run(['plan'])
  t.equal(ran.code, 2, ran.stdout)
  const [result] = job.results()
  t.match(result, {
    mode: 'plan',
    status: 'success',
    exit_code: 2,
    has_changes: true,
    summary: { adds: 1, changes: 0, destroys: 0, replaces: 0, added: ['terraform_data.a'] },
    plan_text: 'Plan: 1 to add, 0 to change, 0 to destroy.\n',
    plan_artifact: /^svc-plan-network-[0-9a-f]{8}$/,
    job_url: 'https://github.example.com/acme/infra/actions/runs/4711/attempts/1',
    tool: 'terraform',
    tool_version: '1.11.4',
    backend: { type: 'local', key: 'network/terraform.tfstate' },
  })
  t.ok(Number.isInteger(result.duration_ms) && !('truncated' in result))
  t.equal(job.service.asked[0]?.path, `/v1/runs/${runId}/stacks/network/result`)
  t.same(ran.outputs, {
    artifact: result.plan_artifact,
    plan_file: join(job.dir, 'temp/svc/plans', `${result.plan_artifact.replace('svc-plan-', '')}.tfplan`),
    has_changes: 'true',
  })
  t.equal(readFileSync(ran.outputs.plan_file!, 'utf8'), 'saved\n')
  t.match(job.calls(), [
    'version -json',
    'init -input=false -no-color',
    /^plan -input=false -no-color -lock-timeout=5m -detailed-exitcode -out=\S+\.tfplan$/,
    /^show -no-color -json /,
    /^show -no-color \S+\.tfplan$/,
  ])
  t.match(
    ran.stdout,
    /::group::terraform plan \(network\)\n::stop-commands::(\S+)\nthe plan goes by\n::\1::\n::endgroup::\n/,
  )
  t.match(ran.summary, /<details><summary><code>network<\/code>: \+1 ~0 -0 ±0<\/summary>/)

  t.equal((await job.run(['plan', '--changes-ok'])).code, 0, 'a step may take changes for a success')

  job.write({ 'network/exit': '0' })
  const same = await job.run(['plan'])
  t.equal(same.code, 0)
  t.match(job.results()[2], { status: 'success', exit_code: 0, has_changes: false })
  t.notOk('plan_artifact' in job.results()[2])
  t.same(same.outputs, { artifact: '', plan_file: '', has_changes: 'false' })
})

t.test('a tool that fails is reported as a failure, with the end of its errors', async (t) => {
  const job = await planningJob(t, {
    files: { 'network/exit': '1', 'network/stderr': `${'filler\n'.repeat(20_000)}Error: no such thing\n` },
  })
  const ran = await job.run(['plan'])
  t.equal(ran.code, 1)
  const [result] = job.results()
  t.match(result, {
    status: 'failure',
    exit_code: 1,
    error_text: /Error: no such thing\n\nterraform plan ended with exit status 1$/,
  })
  t.ok(result.error_text.length <= 16 * 1024)
  t.notOk('plan_text' in result || 'summary' in result || 'plan_artifact' in result)
  t.match(ran.stdout, /Error: no such thing/, 'the log has all of it')
  t.match(ran.stdout, /\n::error::network: terraform plan ended with exit status 1\n/)
  t.equal(ran.outputs.artifact, '')

  job.write({ 'network/exit': '7' })
  t.equal((await job.run(['plan'])).code, 1)
  t.match(job.results()[1], { status: 'failure', exit_code: 7 }, 'its exit status is kept')
  job.write({ 'network/init-exit': '2' })
  const init = await job.run(['plan'])
  t.same([init.code, init.outputs.artifact], [1, ''], 'an exit status of 2 means changes only from a plan')
  t.match(job.results()[2], { status: 'failure', exit_code: 2 })
})

t.test('an earlier plan file is never taken for this one', async (t) => {
  const job = await planningJob(t)
  const { outputs } = await job.run(['plan'])
  writeFileSync(outputs.plan_file!, 'of before')
  job.write({ 'network/exit': '1' })
  t.equal((await job.run(['plan'])).code, 1)
  t.notOk(existsSync(outputs.plan_file!))
  job.write({ 'network/hook': 'exit 2' })
  const ran = await job.run(['plan'])
  t.equal(ran.code, 1, 'a plan that the tool did not write is missed')
  t.match(job.results()[2], { status: 'failure', error_text: /no plan at/ })
})

t.test('a signal reaches the tool once, and the outcome is still reported', async (t) => {
  const job = await planningJob(t, {
    files: {
      'network/hook':
        'trap "echo got-interrupt >> signals; exit 1" INT\necho waiting\nfor i in $(seq 600); do sleep 0.1; done\n',
    },
  })
  const ran = await job.run(['plan'], {
    asProcess: (child) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('waiting')) child.kill('SIGINT')
      })
    },
  })
  t.equal(ran.code, 1)
  t.equal(job.read('network/signals'), 'got-interrupt\n')
  t.match(job.results(), [{ status: 'failure', exit_code: 1, error_text: /after the job was sent SIGINT$/ }])
})

t.test('nothing secret is sent: neither what the plan marks, nor what the environment hides', async (t) => {
  const secret = 'correct-horse'
  const change = { actions: ['create'], after: { password: secret, copy: secret }, after_sensitive: { password: true } }
  const plan = {
    format_version: '1.2',
    // a type or a name holds no value: the rules that protect resources go by them
    resource_changes: [`terraform_data.a["${secret}"]`, `terraform_data.${secret}`].map((address) => ({
      ...{ address, mode: 'managed', change },
    })),
    variables: { pin: { value: 'variable-secret' } },
    configuration: { root_module: { variables: { pin: { sensitive: true } } } },
  }
  const job = await planningJob(t, {
    files: {
      'svc.yml': `version: 1\nchecks:\n  - { name: leaky, run: 'cat "$SVC_PLAN_JSON"; echo; echo found ${secret}; exit 1' }\n`,
      'network/plan.json': JSON.stringify(plan),
      'network/plan.txt': `copy = "${secret}"\npin = "variable-secret"\ntoken = "env-secret-1"\n`,
    },
  })
  const ran = await job.run(['plan'], { env: { TF_VAR_api_token: 'env-secret-1' } })
  t.equal(ran.code, 2)
  t.equal(job.service.asked.length, 2)
  const sent = JSON.stringify(job.service.asked)
  for (const text of ['variable-secret', 'env-secret-1', 'request-token']) t.notMatch(sent, text)
  t.notMatch(sent.replaceAll(`terraform_data.${secret}`, ''), secret)
  const added = ['terraform_data.a["***"]', `terraform_data.${secret}`]
  t.match(job.results(), [{ plan_text: 'copy = "***"\npin = "***"\ntoken = "***"\n', summary: { added } }])
  t.match(job.service.asked[0], {
    path: `/v1/runs/${runId}/stacks/network/checks/leaky`,
    body: { status: 'fail', summary: 'found ***' },
  })
  t.notMatch(ran.summary, secret)

  job.write({ 'network/exit': '1', 'network/stderr': 'Error: env-secret-1 is wrong\n' })
  await job.run(['plan'], { env: { TF_VAR_api_token: 'env-secret-1' } })
  t.match(job.results()[1].error_text, /^Error: \*\*\* is wrong/)

  const values = {
    byDefault: 'default-1',
    inAuto: 'automatic-1',
    inFile: 'of-var-file-1',
    byFlag: 'of argument 1',
    inMap: 'in-a-map-1',
    byEnvironment: 'environment-1',
  }
  const [head, tail] = ['#!/bin/sh\nexport KEY=', '\n'].map((text) => Buffer.from(text))
  const userData = Buffer.concat([head!, Buffer.from(values.inAuto), tail!]).toString('base64')
  job.write({
    'svc.yml': 'version: 1\nstacks: [{ match: network, var_files: [../some.tfvars] }]\n',
    'network/variables.tf': Object.keys(values)
      .map(
        (name) =>
          `variable "${name}" {\n  sensitive = true\n${name === 'byDefault' ? 'default = "default-1"' : ''}\n}\n`,
      )
      .join('variable "plain" {}\n'),
    'network/a.auto.tfvars': `inAuto = "${values.inAuto}"\nplain = "not-secret"\n`,
    'network/terraform.tfvars.json': JSON.stringify({ inMap: { deep: [values.inMap] } }),
    'some.tfvars': `inFile = "${values.inFile}"\n`,
    'network/stderr': `Error: ${Object.values(values).join(', ')}; not-secret; ${btoa(values.byEnvironment)}; ${userData}\n`,
  })
  await job.run(['plan'], {
    env: { TF_VAR_byEnvironment: values.byEnvironment, TF_CLI_ARGS_plan: "-var 'byFlag=of argument 1' -no-color" },
  })
  const { error_text: said } = job.results()[2]
  t.match(said, 'Error: ***, ***, ***, ***, ***, ***; not-secret; ***; ')
  t.notMatch(said, Buffer.from(values.inAuto).toString('base64').slice(4, 12), 'nor inside of other base64')
  t.notMatch(said, userData)
})

t.test('no text is sent or shown of a stack whose plans are kept back', async (t) => {
  const job = await planningJob(t, {
    files: {
      'svc.yml':
        'version: 1\nplan: { output: summary }\nchecks:\n  - { name: size, run: "echo some detail; echo one line" }\n',
    },
  })
  const ran = await job.run(['plan'])
  t.equal(ran.code, 2)
  t.match(job.results(), [{ status: 'success', summary: { adds: 1 } }])
  t.notOk('plan_text' in job.results()[0])
  t.notMatch(ran.stdout, /the plan goes by/)
  t.same(job.service.asked[0]?.body, { status: 'pass', summary: 'one line' })
  t.notMatch(job.calls().join('\n'), /^show -no-color \S+\.tfplan$/m)

  job.write({ 'network/exit': '1', 'network/stderr': 'Error: of the plan\n' })
  const failed = await job.run(['plan'])
  t.notMatch(JSON.stringify(job.results()[1]), /of the plan/)
  t.match(failed.stdout, /Error: of the plan/, 'its errors are in the log')
  const matrix = { key: 'network', stack: 'network', plan_output: 'summary' }
  job.write({ 'svc.yml': 'version: 1\n', 'network/exit': '2' })
  await job.run(['plan'], { env: { SVC_MATRIX: JSON.stringify(matrix) } })
  t.notOk('plan_text' in job.results()[2], 'the policy of the default branch comes with the matrix')
})

t.test('a text above 256 KB is cut at a line', async (t) => {
  const job = await planningJob(t, { files: { 'network/plan.txt': `${'x'.repeat(99)}\n`.repeat(4000) } })
  await job.run(['plan'])
  const [result] = job.results()
  t.match(result, { truncated: true })
  t.equal(result.plan_text.length, 2621 * 100)
})

t.test('a plan that svc cannot read is an error, and nothing of it is sent', async (t) => {
  const table = [
    ['{"format_version":"2.0"}', /format_version is 2\.0: only format 1 is known$/],
    ['not JSON', /the plan's JSON cannot be read/],
  ] as const
  for (const [plan, said] of table) {
    const job = await planningJob(t, { files: { 'network/plan.json': plan } })
    t.equal((await job.run(['plan'])).code, 1)
    t.match(job.results(), [{ status: 'error', error_text: said }])
    t.notOk('plan_text' in job.results()[0])
  }
})

t.test('a missing tool, a missing directory and another version of the tool are reported', async (t) => {
  const job = await planningJob(t, { files: { 'svc.yml': 'version: 1\ntool_version: "1.9"\n' } })
  const missing = await job.run(['plan', '--tool', 'no-such-tool'])
  t.equal(missing.code, 1)
  t.match(job.results(), [
    { status: 'error', error_text: 'no-such-tool is not on the PATH: install it in a step before this one' },
  ])
  t.match(missing.stdout, /::error::network: no-such-tool is not on the PATH/)
  t.equal((await job.run(['plan', '--stack', 'gone'])).code, 1)
  t.match(job.results()[1], { status: 'failure', error_text: 'the checkout has no directory gone' })
  const other = await job.run(['plan'])
  t.match(other.stdout, /::warning::network is pinned to terraform 1\.9, but terraform is 1\.11\.4/)
  const elsewhere = await job.run(['plan'], {
    env: { SVC_MATRIX: JSON.stringify({ key: 'network', sha: 'b'.repeat(40) }) },
  })
  t.equal(elsewhere.code, 1)
  t.match(elsewhere.stdout, /::error::[0-9a-f]{40} is checked out, but the job is for network at b{40}/)
  t.equal(job.results().length, 3, 'a plan of another commit is not made at all')
})

t.test("the tool gets its stack's workspace, backend configuration, var files and committed lock file", async (t) => {
  const instances = 'instances: { blue: { workspace: blue, var_files: [blue.tfvars] }, green: { workspace: green } }'
  const job = await planningJob(t, {
    files: {
      'svc.yml': `version: 1\nstacks:\n  - { match: app, lock_timeout: 90s, backend_config: [key=x, ../b.hcl], var_files: [all.tfvars], ${instances} }\n`,
      'app/main.tf': '',
      'app/.terraform.lock.hcl': '',
      'app/.terraform/environment': 'left-over',
    },
  })
  const matrix = {
    stack: 'two',
    key: 'two',
    sha: git(job.root, 'rev-parse', 'HEAD'),
    stacks: ['app:blue', 'app:green'],
  }
  const env = { SVC_MATRIX: JSON.stringify(matrix), TF_WORKSPACE: 'wrong' }
  const ran = await job.run(['plan', '--json'], { env })
  t.equal(ran.code, 2, ran.stderr)
  t.same(
    job
      .calls('app')
      .filter((call) => /^(init|workspace|plan)/.test(call))
      .map((call) => call.replace(/-out=\S+/, '-out=F')),
    [
      'init -input=false -no-color -lockfile=readonly -backend-config=key=x -backend-config=../b.hcl',
      'workspace select -or-create blue',
      'plan -input=false -no-color -lock-timeout=90s -detailed-exitcode -out=F -var-file=all.tfvars -var-file=blue.tfvars',
      'init -input=false -no-color -lockfile=readonly -backend-config=key=x -backend-config=../b.hcl',
      'workspace select -or-create green',
      'plan -input=false -no-color -lock-timeout=90s -detailed-exitcode -out=F -var-file=all.tfvars',
    ],
  )
  t.notOk(existsSync(join(job.root, 'app/.terraform/environment')))
  t.same(
    job.service.asked.map(({ path }) => path.split('/').at(-2)),
    ['app%3Ablue', 'app%3Agreen'],
  )
  t.match(job.results()[0].backend, { type: 'local', key: 'app/terraform.tfstate.d/blue/terraform.tfstate' })
  t.match(ran.json.stacks, [{ key: 'app:blue', exit_code: 2 }, { key: 'app:green' }])
  t.equal(ran.outputs.plan_file, join(job.dir, 'temp/svc/plans'), 'for several plans it is a directory')
  t.equal(readdirSync(ran.outputs.plan_file!).length, 2)
  t.equal(job.results()[0].plan_artifact, ran.outputs.artifact)
})
