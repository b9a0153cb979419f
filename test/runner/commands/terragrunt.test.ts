import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import t, { type Test } from 'tap'
import { safeName } from '#runner/job/work-dir.ts'
import { installProgram } from '../client.ts'
import { fakeTerragrunt } from '../job/fake-terragrunt.ts'
import { planningJob } from '../job/planning.ts'

/* Plans and applies of units. The service accepts everything. */

const files = { 'live/vpc/terragrunt.hcl': 'terraform {\n  source = "../../modules/vpc"\n}\n' }

const unitJob = async (t: Test, given: Record<string, string> = {}, key = 'live/vpc') => {
  const job = await planningJob(t, { files: { ...files, ...given } })
  installProgram(join(job.dir, 'bin/terragrunt'), fakeTerragrunt)
  const plan = (env: Record<string, string> = {}) => job.run(['plan', '--hold'], { env: { SVC_STACK: key, ...env } })
  const report = () => job.run(['report'], { env: { SVC_STACK: key } })
  return { ...job, plan, report, calls: () => job.calls(key) }
}

t.test('a unit is planned in its directory, whatever tool svc.yml names', async (t) => {
  const job = await unitJob(t, { 'svc.yml': 'version: 1\nstacks: [{ match: "live/*", workspace: blue }]\n' })
  const { code, stdout, outputs } = await job.plan({ TG_WORKING_DIR: '/nowhere' })
  t.equal(code, 2, stdout)
  const file = outputs.plan_file ?? ''
  t.same(job.calls(), [
    'init -input=false -no-color',
    'workspace select -or-create blue',
    `plan -input=false -no-color -lock-timeout=5m -detailed-exitcode -out=${file}`,
    `show -no-color -json ${file}`,
    `show -no-color ${file}`,
  ])
  t.match(stdout, /::group::terragrunt plan \(live\/vpc\)/)
  t.equal((await job.report()).code, 0)
  t.match(job.results(), [
    {
      ...{ mode: 'plan', status: 'success', tool: 'terragrunt', tool_version: '1.0.3', summary: { adds: 1 } },
      backend: { type: 's3', bucket: 'b', key: 'env:/blue/k', region: 'eu-1' },
    },
  ])
})

t.test('the saved plan of a unit is applied, and nothing planned', async (t) => {
  const job = await unitJob(t)
  job.download('saved', safeName('live/vpc'))
  const entry = { stack: 'live/vpc', key: 'live/vpc', tool: 'terragrunt', artifact: 'svc-plan-x', artifact_run: '7' }
  const { code, stdout } = await job.run(['apply'], { env: job.dispatched('apply', entry) })
  t.equal(code, 0, stdout)
  const saved = job.calls().filter((call) => /^(plan|apply)/.test(call))
  t.match(saved, [/^apply -input=false -no-color -lock-timeout=5m .*\/saved\/live-vpc-\w+\.tfplan$/])
  t.equal(saved.length, 1)
  t.match(job.results(), [{ mode: 'apply', status: 'success', has_changes: true, tool: 'terragrunt' }])
})

t.test('a unit of a stack file is generated first', async (t) => {
  const path = 'live/.terragrunt-stack/one'
  const stackFile = 'unit "one" {\n  source = "../units/one"\n  path   = "one"\n}\n'
  const job = await unitJob(t, { 'live/terragrunt.stack.hcl': stackFile }, path)
  const { code, stdout } = await job.plan()
  t.equal(code, 2, stdout)
  t.match(job.calls(), ['stack generate', 'init -input=false -no-color', /^plan /, /^show /, /^show /])
})

t.test('a failure for want of outputs says which commands need mocks', async (t) => {
  const job = await unitJob(t, { 'live/vpc/no-outputs': 'init' })
  t.equal((await job.plan()).code, 1)
  await job.report()
  const said = /detected no outputs.*ended with exit status 1: a dependency has no outputs yet.*init, plan and show/s
  t.match(job.results(), [{ status: 'failure', error_text: said }])
})

t.test('a Terragrunt older than 0.88 is told so before it is given anything to do', async (t) => {
  const stackFile = 'unit "one" {\n  source = "../units/one"\n  path   = "one"\n}\n'
  const job = await unitJob(t, { 'live/terragrunt.stack.hcl': stackFile })
  const said =
    "svc needs terragrunt 0.88 or newer, but terragrunt is 0.87.9: install a newer one in a step before svc's"
  for (const key of ['live/vpc', 'live/.terragrunt-stack/one']) {
    const { code, stdout } = await job.plan({ SVC_STACK: key, FAKE_VERSION: '0.87.9' })
    t.equal(code, 1)
    t.match(stdout, `::error::${key}: ${said}`)
    await job.run(['report'], { env: { SVC_STACK: key } })
    t.match(job.results().at(-1), { status: 'failure', tool_version: '0.87.9', error_text: said })
    t.equal(job.read(`${key}/calls`), undefined)
  }
  const entry = { stack: 'live/vpc', key: 'live/vpc', tool: 'terragrunt' }
  const env = { ...job.dispatched('apply', entry), FAKE_VERSION: '0.9.0' }
  t.equal((await job.run(['apply'], { env })).code, 1)
  t.match(job.results().at(-1), { mode: 'apply', status: 'failure', error_text: /but terragrunt is 0\.9\.0: / })
  t.equal((await job.plan({ FAKE_VERSION: '0.88.0-rc1' })).code, 2, 'the oldest that does')
})

const skip = spawnSync('terragrunt', ['--version']).status !== 0 && 'terragrunt is not on the PATH'

t.test('the real terragrunt plans and applies', { skip }, async (t) => {
  const main = 'variable "size" {\n  type = number\n}\nresource "terraform_data" "a" {\n  input = var.size\n}\n'
  const unit = 'terraform {\n  source = "../../modules/vpc"\n}\ninputs = { size = 3 }\n'
  const job = await unitJob(t, { 'live/vpc/terragrunt.hcl': unit, 'modules/vpc/main.tf': main })
  const path = (job.env.PATH ?? '').split(delimiter).slice(1).join(delimiter)
  const planned = await job.plan({ PATH: path })
  t.equal(planned.code, 2, planned.stdout)
  await job.report()
  t.match(job.results(), [{ status: 'success', summary: { adds: 1, added: ['terraform_data.a'] } }])
  const entry = { stack: 'live/vpc', key: 'live/vpc', tool: 'terragrunt' }
  const applied = await job.run(['apply'], { env: { ...job.dispatched('apply', entry), PATH: path } })
  t.equal(applied.code, 0, applied.stdout)
  t.match(job.results().at(-1), { mode: 'apply', status: 'success', summary: { adds: 1 } })
})
