import { spawnSync } from 'node:child_process'
import t from 'tap'
import { startWorld } from '#test/helpers/world.ts'
import { jobOf } from '../job/stack-job.ts'

/* From a pull request to its results with the real tool, the service and the emulator; one job at a time. */

const skip = spawnSync('terraform', ['version']).status !== 0 && 'terraform is not on the PATH'

const data = (input: string) => `resource "terraform_data" "it" {\n  input = ${input}\n}\n`

const files = {
  'svc.yml': `version: 1
stacks:
  - match: app
    depends_on: [network]
    instances:
      blue: { workspace: blue, var_files: [blue.tfvars] }
checks:
  - { name: counted, run: 'grep -c terraform_data "$SVC_PLAN_JSON"' }
`,
  'network/main.tf': data('"one"'),
  'network/password.tf': 'variable "password" {\n  type = string\n  sensitive = true\n  default = "correct-horse"\n}\n',
  'app/main.tf': `variable "size" {}\n${data('var.size')}`,
  'app/blue.tfvars': 'size = 4\n',
  'broken/main.tf': data('"fine"'),
  'main.tf': '',
}

t.test('stacks are planned with terraform, and their run ends planned', { skip }, async (t) => {
  const world = await startWorld(t, { files })
  const open = (branch: string, changes: Record<string, string>) =>
    world.github.openPullRequest({ repo: 'acme/infra', branch, title: branch, author: 'ada', changes })
  /** Resolves, and plans what the matrix says, one job after another; returns their exit statuses by key. */
  const work = async (pull: Awaited<ReturnType<typeof open>>) => {
    const job = await jobOf(t, world, pull)
    const resolved = await job.run(['resolve'])
    t.equal(resolved.code, 2, resolved.stdout)
    const { run_id: runId = '', matrix = '' } = resolved.outputs
    const codes: Record<string, number | null> = {}
    const logs: string[] = []
    for (const entry of JSON.parse(matrix).include) {
      const env = { SVC_RUN_ID: runId, SVC_MATRIX: JSON.stringify(entry) }
      const planned = await job.run(['plan', '--hold'], { env })
      const reported = await job.run(['report'], { env })
      t.equal(reported.code, 0, reported.stdout)
      codes[entry.key] = planned.code
      logs.push(planned.stdout)
    }
    await world.settled()
    const checkRuns = Object.fromEntries(
      pull.checkRuns().map(({ name, conclusion, title }) => [name, { conclusion, title }]),
    )
    return { codes, logs: logs.join('\n'), checkRuns, comment: pull.comments().at(-1)?.body ?? '' }
  }

  await t.test('secrets stay in the job', async (t) => {
    const pull = await open('more', {
      // The tool's own text shows in clear what a provider copies of a secret.
      'network/main.tf': `${data('nonsensitive(var.password)')}output "kept" {\n  value = var.password\n  sensitive = true\n}\n`,
      'main.tf': data('"root"'),
    })
    const { codes, logs, checkRuns, comment } = await work(pull)
    t.same(codes, { '.': 2, network: 2, 'app:blue': 2 })
    t.match(checkRuns['svc/plan'], { conclusion: 'success' })
    for (const key of ['.', 'network', 'app:blue']) {
      t.match(checkRuns[`svc/plan: ${key}`], { conclusion: 'success' }, key)
      t.match(checkRuns[`svc/counted: ${key}`], { conclusion: 'success' }, key)
    }
    t.match(logs, /correct-horse/, 'the tool shows it, as in a plan by hand')
    t.match(comment, /terraform_data\.it/)
    t.notMatch(comment, /correct-horse/)
    t.match(comment, /input += "\*\*\*"/)
  })

  await t.test('a stack that fails fails the run', async (t) => {
    const pull = await open('broken', { 'broken/main.tf': data('no_such_thing.it') })
    const { codes, checkRuns, comment } = await work(pull)
    t.same(codes, { broken: 1 })
    t.match(checkRuns['svc/plan'], { conclusion: 'failure' })
    t.match(comment, /Reference to undeclared resource/)
  })
})
