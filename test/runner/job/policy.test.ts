import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { installProgram } from '../client.ts'
import { planningJob } from './planning.ts'

/* What a job runs beside the tool: always the default branch's. */

const verdicts = ({ service }: Awaited<ReturnType<typeof planningJob>>): unknown[] =>
  service.asked
    .filter(({ path }) => /\/(checks\/\w+|result)$/.test(path))
    .map(({ path, body }) => [path.split('/').at(-1), body.status])

const hooks = (more = ''): string => `version: 1
stacks:
  - match: "**"
    before_init: ['echo "$TF_VAR_region $TF_VAR_token" >> hooked', "echo twice >> hooked"]
    env: { TF_VAR_region: eu, TF_VAR_token: $DEPLOY_TOKEN }
    plan_args: [-parallelism=30]
    apply_args: [-parallelism=5]
${more}`

t.test('nothing that a pull request writes into its own svc.yml is run', async (t) => {
  const own = 'checks: [{ name: evil, run: touch ran }, { name: early, before: plan, run: touch ran }]\n'
  const job = await planningJob(t, { files: { 'svc.yml': hooks(own) }, policy: 'version: 1' })
  t.equal((await job.run(['plan'], { env: { DEPLOY_TOKEN: 'x' } })).code, 2)
  t.equal((await job.run(['run'], { env: job.dispatched('apply') })).code, 0)
  t.same([job.read('ran'), job.read('network/hooked')], [undefined, undefined])
  t.notMatch(job.calls().join('\n'), /parallelism/)
  t.same(verdicts(job), [
    ['result', 'success'],
    ['result', 'success'],
  ])
})

t.test("the default branch's hooks are run, in plans and applies", async (t) => {
  const job = await planningJob(t, { policy: hooks() })
  const env = { DEPLOY_TOKEN: 'secret-1' }
  t.equal((await job.run(['plan'], { env })).code, 2)
  t.equal(job.read('network/hooked'), 'eu secret-1\ntwice\n')
  t.match(job.calls().join('\n'), /^plan .*-parallelism=30$/m)
  t.equal((await job.run(['run'], { env: { ...env, ...job.dispatched('apply') } })).code, 0)
  t.match(job.calls().join('\n'), /^apply .*-parallelism=5 \S+$/m)
})

t.test('a hook that fails ends the work on its stack, and says so', async (t) => {
  const job = await planningJob(t, {
    policy: 'version: 1\nstacks: [{ match: network, before_init: ["echo no generator >&2; exit 3"] }]\n',
  })
  t.equal((await job.run(['plan'])).code, 1)
  t.match(job.results(), [{ status: 'failure', error_text: /no generator[\s\S]*before_init: echo no generator/ }])
  t.notMatch(job.calls().join('\n'), /^(init|plan)/m)
})

t.test('a secret is named, and must be there', async (t) => {
  const job = await planningJob(t, { policy: hooks() })
  const ran = await job.run(['plan'])
  t.equal(ran.code, 1)
  t.match(ran.stdout, /env\.TF_VAR_token is \$DEPLOY_TOKEN, which is not set in this job/)
})

t.test('without the service a plan goes on without them, and an apply does nothing', async (t) => {
  const job = await planningJob(t, { files: { 'svc.yml': hooks() }, policy: null })
  const planned = await job.run(['plan'])
  t.equal(planned.code, 2)
  t.match(planned.stdout, /Checks and hooks of svc\.yml are left out/)
  t.equal(job.read('network/hooked'), undefined)
  const before = job.calls().length
  const applied = await job.run(['run'], { env: job.dispatched('apply') })
  t.equal(applied.code, 3)
  t.match(applied.stdout, /nothing is applied/)
  t.equal(job.calls().length, before)
})

t.test('checks before a plan are reported though it fails, and match keeps a check to its stacks', async (t) => {
  const policy = `version: 1
checks:
  - { name: fmt, before: plan, run: 'test -z "$SVC_PLAN_JSON" && echo $SVC_STACK' }
  - { name: lint, before: plan, run: "exit 1", match: ["net*"] }
  - { name: other, before: plan, run: "exit 1", match: ["app/**", "**/*:eu"] }
  - { name: policy, run: "true" }
`
  const job = await planningJob(t, { policy })
  await job.run(['plan'])
  t.same(verdicts(job), [
    ['fmt', 'pass'],
    ['lint', 'fail'],
    ['policy', 'pass'],
    ['result', 'success'],
  ])
  job.write({ 'network/exit': '1', 'network/stderr': 'Error: broken\n' })
  await job.run(['plan'])
  t.same(verdicts(job).slice(4), [
    ['fmt', 'pass'],
    ['lint', 'fail'],
    ['result', 'failure'],
  ])
})

t.test('the examples of docs/checks.md run as they are written', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/checks.md'), 'utf8')
  const policy = /## Examples[\s\S]*```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  const job = await planningJob(t, { policy })
  for (const name of ['tflint', 'trivy', 'conftest', 'checkov', 'infracost'])
    installProgram(
      join(job.dir, 'bin', name),
      '#!/bin/sh\nfor word in "$@"; do case "$word" in /*) test -s "$word" || exit 9;; esac; done\necho "$(basename "$0") $1"\n',
    )
  await job.run(['plan'])
  const names = ['fmt', 'validate', 'tflint', 'trivy', 'conftest', 'checkov', 'infracost']
  t.same(
    verdicts(job).map((verdict) => (verdict as string[])[0]),
    [...names, 'result'],
  )
  t.same(
    job.service.asked.slice(2, 7).map(({ body }) => [body.status, body.summary]),
    [
      ['pass', 'tflint --chdir=network'],
      ['pass', 'trivy config'],
      ['pass', 'conftest test'],
      ['pass', 'checkov --file'],
      ['pass', 'infracost breakdown'],
    ],
  )
})
