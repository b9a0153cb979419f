// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tool's language writes references that way
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import t, { type Test } from 'tap'
import { applyingJob } from '../job/applying.ts'

/* Applies with the real tool and a state on disk. The service accepts everything. */

const skip = spawnSync('terraform', ['version']).status !== 0 && 'terraform is not on the PATH'

const resource = (name: string, input: string, rest = '') =>
  `resource "terraform_data" "${name}" {\n  input = ${input}\n${rest}}\n`

const artifact = { artifact: 'svc-plan-network', artifact_run: '4700' }

/** A dispatched apply with the tool of this machine, and a plan of the same stack. */
const realJob = async (t: Test, main: string, entry: object = artifact) => {
  const job = await applyingJob(t, { files: { 'network/main.tf': main } }, entry)
  const path = (job.env.PATH ?? '').split(delimiter).slice(1).join(delimiter)
  const apply = (options: Parameters<typeof job.apply>[1] = {}) => job.apply([], { ...options, env: { PATH: path } })
  /** Plans the stack as it is now; returns the saved plan. */
  const plan = async (): Promise<Buffer> => {
    const { outputs } = await job.run(['plan', '--hold'], { env: { PATH: path } })
    return readFileSync(outputs.plan_file ?? '')
  }
  const state = () => JSON.parse(job.read('network/terraform.tfstate') ?? '{"resources":[]}')
  return { ...job, apply, plan, state }
}

t.test('a saved plan is applied, and a stack with a stale one planned again', { skip }, async (t) => {
  const job = await realJob(t, resource('a', '"one"'))
  job.download(await job.plan())
  const first = await job.apply()
  t.equal(first.code, 0, first.stdout)
  t.match(first.stdout, /saved plan svc-plan-network.*terraform_data\.a: Creation complete.*Resources: 1 added/s)
  t.notMatch(first.stdout, /::group::terraform plan/)
  t.match(job.results()[0], { status: 'success', has_changes: true, summary: { adds: 1, added: ['terraform_data.a'] } })
  t.equal(job.state().resources.length, 1)

  job.write({ 'network/main.tf': `${resource('a', '"two"')}${resource('b', '"two"')}` })
  const saved = await job.plan()
  job.write({ 'network/main.tf': resource('a', '"three"') })
  job.download(await job.plan())
  t.equal((await job.apply()).code, 0)
  job.write({ 'network/main.tf': `${resource('a', '"two"')}${resource('b', '"two"')}` })
  job.download(saved)
  const again = await job.apply()
  t.equal(again.code, 0, again.stdout)
  t.match(
    again.stdout,
    /the saved plan svc-plan-network is stale, its state or its providers have changed since: planning again/,
  )
  t.match(again.stdout, /::group::terraform plan \(network\).*Resources: 1 added, 1 changed/s)
  t.match(job.results().at(-1), { status: 'success', exit_code: 0, summary: { adds: 1, changes: 1 } })
})

t.test('without changes nothing is applied, and without a saved plan a stack is planned', { skip }, async (t) => {
  const job = await realJob(t, `${resource('a', '"one"')}output "it" {\n  value = terraform_data.a.output\n}\n`, {})
  t.equal((await job.apply()).code, 0)
  const { serial } = job.state()
  const again = await job.apply()
  t.equal(again.code, 0, again.stdout)
  t.equal(job.state().serial, serial)
  t.match(job.results(), [
    { status: 'success', has_changes: true, summary: { adds: 1, output_changes: 1 } },
    { status: 'success', has_changes: false, summary: { adds: 0 }, plan_text: /No changes/ },
  ])
  t.match(again.stdout, /network: nothing to apply/)
})

t.test('a failed apply reports its error, without sensitive values', { skip }, async (t) => {
  const secret = 'variable "password" {\n  sensitive = true\n  default = "correct-horse"\n}\n'
  const provisioner =
    '  provisioner "local-exec" {\n    command = "echo tried with ${nonsensitive(var.password)}; exit 3"\n  }\n'
  const job = await realJob(t, secret + resource('a', 'var.password', provisioner), {})
  const ran = await job.apply()
  t.equal(ran.code, 1)
  const [result] = job.results()
  t.match(result, { status: 'failure', exit_code: 1, error_text: /local-exec provisioner error.*tried with \*\*\*/s })
  t.match(result.plan_text, /terraform_data\.a will be created/)
  t.notMatch(JSON.stringify(job.service.asked), /correct-horse/)
  t.equal(job.state().resources[0].instances[0].status, 'tainted', 'half of it is done')
})

t.test('an interrupted apply ends in its own way: its state is saved and unlocked', { skip }, async (t) => {
  const slow = '  provisioner "local-exec" {\n    command = "echo begun; until [ -e go ]; do sleep 0.02; done"\n  }\n'
  const main = `${resource('a', '"one"', slow)}${resource('b', 'terraform_data.a.id')}`
  const job = await realJob(t, main, {})
  const ran = await job.apply({
    asProcess: (child) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        const text = chunk.toString()
        if (text.includes('local-exec): begun')) child.kill('SIGINT')
        if (!text.includes('Interrupt received')) return
        child.kill('SIGTERM')
        job.write({ 'network/go': '' })
      })
    },
  })
  t.equal(ran.code, 1, ran.stdout)
  t.match(job.results(), [
    { mode: 'apply', status: 'failure', error_text: /, after the job was sent SIGINT: its changes/ },
  ])
  t.notMatch(ran.stdout, /Two interrupts received/, 'the tool would leave its state behind then')
  t.equal(job.state().resources.length, 1, 'what was done is in the state, and what was not begun is not')
  t.notOk(existsSync(join(job.root, 'network/.terraform.tfstate.lock.info')), 'the state is unlocked')
  t.equal((await job.apply()).code, 0, 'the next apply can go on')
})
