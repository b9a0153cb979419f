import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '#config.ts'
import { createActionsEngine } from '#emulator/actions/engine.ts'
import { startEmulator } from '#emulator/emulator.ts'
import type { QueuedHandle } from '#emulator/handles/queued-handle.ts'
import { createLog } from '#log.ts'
import { startService } from '#service.ts'
import { testDatabase } from '#test/helpers/database.ts'
import { serviceEnvironment } from '#test/helpers/service-environment.ts'
import { until } from '#test/helpers/until.ts'
import { fakeTerragrunt } from '#test/runner/job/fake-terragrunt.ts'
import { fakeTool } from '#test/runner/job/fake-tool.ts'
import { installClient, installProgram } from '../client.ts'

/* The shipped workflow, run by the emulator's engine with the client on its PATH and a fake tool, against the service. */

const read = (path: string) => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8')

const resource = (name: string) => `resource "terraform_data" "${name}" {}\n`

const files = {
  '.github/workflows/svc-plan.yml': read('src/runner/workflows/svc-plan.yml'),
  '.github/workflows/svc-run.yml': read('src/runner/workflows/svc-run.yml'),
  'svc.yml': `version: 1
plan: { parallel: 3 }
apply: { approvals: 0 }
checks: [{ name: policy, match: [app], run: 'echo "policy of $(basename "$PWD")"; test -s "$SVC_PLAN_JSON"' }]
stacks:
  - { match: network, runs_on: [self-hosted, linux] }
  - match: app
    depends_on: [network]
    instances: { from: "env/*.tfvars" }
    workspace: "{instance}"
    var_files: ["env/{instance}.tfvars"]
    before_init: ['echo "made by a hook" > made.tf.txt && echo "a hook in $(basename "$PWD")"']
`,
  'app/env/blue.tfvars': 'size = 1\n',
  'app/env/green.tfvars': 'size = 2\n',
  'network/main.tf': resource('a'),
  'app/main.tf': resource('a'),
  'main.tf': resource('a'),
  'live/vpc/terragrunt.hcl': 'terraform {\n  source = "../../modules/vpc"\n}\n',
  'live/app/terragrunt.hcl':
    'terraform {\n  source = "../../modules/app"\n}\ndependency "vpc" {\n  config_path = "../vpc"\n}\n',
  'modules/vpc/main.tf': resource('a'),
  'modules/app/main.tf': resource('a'),
}

t.test('a pull request is resolved, planned and reported by the workflow that svc ships', async (t) => {
  const dir = t.testdir({ bin: {} })
  const bin = join(dir, 'bin')
  installClient(bin)
  installProgram(join(bin, 'terraform'), fakeTool)
  installProgram(join(bin, 'terragrunt'), fakeTerragrunt)
  mkdirSync(join(dir, 'cache'))
  const github = await startEmulator({
    dataDir: join(dir, 'hub'),
    actions: createActionsEngine,
    runner: { path: [bin], env: { SVC_CACHE_DIR: join(dir, 'cache'), SVC_AUDIENCE: 'http://svc.example.com' } },
  })
  t.teardown(() => github.close())
  const { url: databaseUrl } = await testDatabase(t)
  const log = createLog({ level: 'silent', format: 'text' })
  const config = readConfig(serviceEnvironment(github, databaseUrl))
  if ('problems' in config) throw new Error(config.problems.join('\n'))
  const service = await startService(config.config, { paced: false, log })
  t.teardown(() => service.stop())
  github.setWebhookUrl(`${service.url}/webhooks/codehost`)
  github.createInstallation({ account: 'acme', type: 'Organization' })
  const vars = { SVC_URL: service.url }
  const repository = await github.createRepository({ owner: 'acme', name: 'infra', files, vars })
  await github.deliveriesSettled()

  const pull = await github.openPullRequest({
    repo: 'acme/infra',
    branch: 'wider',
    title: 'Wider',
    author: 'ada',
    changes: { 'network/main.tf': resource('b'), 'main.tf': resource('b') },
  })
  await github.actionsSettled()
  const [run] = pull.workflowRuns()
  const jobs = github.jobs(run!.id)
  const ended = jobs.map(({ name, conclusion }) => `${name}: ${conclusion}`).sort()
  const wanted = ['.', 'app:blue', 'app:green', 'network'].map((key) => `plan ${key}: success`)
  if (!t.same(ended, [...wanted, 'resolve: success'])) for (const { log } of jobs) t.comment(log)

  const labelsOf = (name: string) => jobs.find((one) => one.name === name)?.labels
  t.same(labelsOf('plan network'), ['self-hosted', 'linux'], 'the runners that svc.yml names')
  t.same(labelsOf('plan .'), ['ubuntu-latest'])

  const conclusionOf = (name: string) => pull.checkRuns().find((check) => check.name === name)?.conclusion
  await until(() => (conclusionOf('svc/plan') ?? null) !== null)
  t.equal(conclusionOf('svc/plan'), 'success')
  t.same(
    pull
      .checkRuns()
      .map(({ name }) => name)
      .filter((name) => name.startsWith('svc/plan: '))
      .sort(),
    ['svc/plan: .', 'svc/plan: app:blue', 'svc/plan: app:green', 'svc/plan: network'],
  )
  const text = jobs.find(({ name }) => name === 'plan network')!.log
  t.match(text, /artifact svc-plan-network-[0-9a-f]{8}: 1 files/, 'the saved plan is uploaded')
  t.match(text, /network: reported, planned/)

  const endOf = (queued: QueuedHandle) => queued.workflowRuns().flatMap(({ id }) => github.jobs(id))
  const first = await pull.enqueue()
  await github.actionsSettled()
  t.match(
    endOf(first),
    [
      { name: 'resolve', conclusion: 'success' },
      { name: 'plan', conclusion: 'skipped' },
    ],
    'planned already',
  )
  const other = await github.openPullRequest({
    repo: 'acme/infra',
    branch: 'other',
    title: 'Other',
    author: 'ada',
    changes: { 'app/main.tf': resource('b') },
  })
  await github.actionsSettled()
  const second = await other.enqueue({ behind: first })
  await github.actionsSettled()
  const planned = endOf(second).filter(({ conclusion }) => conclusion === 'success')
  t.same(planned.map(({ name }) => name).sort(), ['plan app:blue', 'plan app:green', 'resolve'], 'the two together')
  await until(() => second.checkRuns().findLast(({ name }) => name === 'svc/plan')?.conclusion === 'success')

  repository.setPermission('rob', 'write')
  other.comment('svc apply app:blue', 'rob')
  const otherCheck = (name: string) => other.checkRuns().findLast((check) => check.name === name)?.conclusion
  await until(() => typeof otherCheck('svc/apply') === 'string')
  await github.actionsSettled()
  const ofInstance = repository
    .workflowRuns()
    .flatMap((run) => run.jobs().filter(({ name }) => name === 'apply app:blue'))
  if (!t.equal(otherCheck('svc/apply'), 'success')) for (const { log } of ofInstance) t.comment(log)
  t.equal(otherCheck('svc/policy: app:blue'), 'success')
  t.match(ofInstance, [{ conclusion: 'success', log: /a hook in app.*switched to blue.*the apply goes by/s }])

  const units = await github.openPullRequest({
    repo: 'acme/infra',
    branch: 'units',
    title: 'Units',
    author: 'ada',
    changes: { 'live/app/terragrunt.hcl': `${files['live/app/terragrunt.hcl']}inputs = { size = 3 }\n` },
  })
  await github.actionsSettled()
  const ofUnits = units.workflowRuns().flatMap(({ id }) => github.jobs(id))
  if (
    !t.match(ofUnits.map(({ name, conclusion }) => `${name}: ${conclusion}`).sort(), [
      'plan live/app: success',
      'resolve: success',
    ])
  )
    for (const { log } of ofUnits) t.comment(log)
  const checkOf = (name: string) => units.checkRuns().findLast((check) => check.name === name)?.conclusion
  await until(() => checkOf('svc/plan') === 'success')
  units.comment('svc apply', 'rob')
  await until(() => typeof checkOf('svc/apply') === 'string')
  await github.actionsSettled()
  const applied = repository
    .workflowRuns()
    .flatMap((run) => run.jobs())
    .filter(({ name }) => name.startsWith('apply live'))
  if (!t.equal(checkOf('svc/apply'), 'success')) for (const { log } of applied) t.comment(log)
  t.match(applied, [
    {
      name: 'apply live/app',
      conclusion: 'success',
      log: /saved plan svc-plan-live-app.*terragrunt apply \(live\/app\)/s,
    },
  ])
  t.notMatch(applied[0]?.log, /the plan goes by/, 'the unit is applied as it was planned')
})
