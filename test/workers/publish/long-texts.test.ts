import t from 'tap'
import { limits } from '#domain/limits.ts'
import type { PullRequestHandle } from '#emulator/handles.ts'
import { paceOfMachine } from '#test/helpers/pace.ts'
import { playJob } from '#test/helpers/runner.ts'
import { startWorld } from '#test/helpers/world.ts'

const world = await startWorld(t, { files: { 'network/main.tf': '# network\n' } })
const { github } = world

let pulls = 0

const planning = async () => {
  pulls += 1
  const changes = { 'network/main.tf': `# ${pulls}\n` }
  const branch = `change-${pulls}`
  const pull = await github.openPullRequest({ repo: 'acme/infra', branch, title: 'Change', author: 'ada', changes })
  const job = playJob(world, pull)
  const { run_id: runId } = (await job.open()).body
  await job.upload(runId, {
    graph: { stacks: [{ key: 'network', path: 'network' }] },
    changed_paths: ['network/main.tf'],
  })
  return { pull, job, runId }
}

const shownAt = (pull: PullRequestHandle, name: string) => pull.checkRuns().find((check) => check.name === name)

t.test('an error of 200 KB of line breaks is recorded, cut at 64 KB, and holds nobody up', async (t) => {
  const { pull, job, runId } = await planning()
  const started = process.hrtime.bigint()
  const answer = await job.report(runId, 'network', {
    status: 'failure',
    exit_code: 1,
    error_text: `Error: no${'\n'.repeat(200 * 1024)}x`,
  })
  t.match(answer, { status: 200, body: { status: 'failed' } })
  t.equal(Buffer.byteLength(answer.body.error_text), limits.errorTextBytes)
  await world.settled()
  const taken = Number(process.hrtime.bigint() - started) / 1e6
  t.ok(taken < 4000 * paceOfMachine(), `reported and shown in ${Math.round(taken)} ms`)
  const text = shownAt(pull, 'svc/plan: network')?.text ?? ''
  t.match(text, 'Error: no')
  t.match(text, 'the rest of the error is in the log of the job')
})

t.test('what is too long in a report is cut or left out: the report counts', async (t) => {
  const { job, runId } = await planning()
  const address = `module.${'a'.repeat(1200)}`
  const answer = await job.report(runId, 'network', {
    summary: { adds: 600, changes: 0, destroys: 0, replaces: 0, added: Array.from({ length: 600 }, () => address) },
    job_url: `https://ci.example.com/${'a'.repeat(3000)}`,
    tool_version: `1.${'9'.repeat(500)}`,
  })
  t.match(answer, { status: 200, body: { status: 'planned', summary: { adds: 600 } } })
  t.equal(answer.body.summary.added.length, limits.addresses)
  t.equal(answer.body.summary.added[0].length, limits.addressChars)
  t.notOk('job_url' in answer.body, 'half an address leads nowhere')
})

t.test("a verdict's details are shown in its check run, cut at 64 KB, and read again when they change", async (t) => {
  const { pull, job, runId } = await planning()
  const post = (verdict: object) => job.post(`/v1/runs/${runId}/stacks/network/checks/cost`, verdict)
  const details = `<b>120 € more</b>\n${'a line\n'.repeat(20_000)}`
  const long = { status: 'warn', summary: 's'.repeat(10_000), details, details_url: 'https://cost.example.com/1' }
  const { status, body } = await post(long)
  t.equal(status, 200)
  t.equal(body.summary.length, limits.checkSummaryBytes)
  await world.settled()
  const first = shownAt(pull, 'svc/cost: network')
  t.match(first, { conclusion: 'neutral', detailsUrl: 'https://cost.example.com/1' })
  t.match(first?.text, '<b>120 € more</b>\na line\n')
  const length = first?.text?.length ?? 0
  t.ok(length > 60_000 && length <= limits.checkDetailsBytes, `${length} characters`)
  await post({ status: 'warn', summary: 'dearer', details: '130 € more' })
  await world.settled()
  t.match(shownAt(pull, 'svc/cost: network'), { title: 'dearer', text: /130 € more/ })
})

t.test('1 MB of wrong elements is refused within a moment', async (t) => {
  const { job } = await planning()
  const cases: [elements: number, says: RegExp][] = [
    [500_000, /^stacks: must have at most 25000 entries$/],
    [24_000, /^stacks\[0\]: must be a string \(and at least 49 more fields are wrong\)$/],
  ]
  for (const [elements, says] of cases) {
    const stacks = new Array(elements).fill(1)
    const started = process.hrtime.bigint()
    const { status, body } = await job.post('/v1/runs', { stacks })
    const taken = Number(process.hrtime.bigint() - started) / 1e6
    t.equal(status, 400)
    t.match(body.message, says)
    t.ok(taken < 700 * paceOfMachine(), `${elements} elements in ${Math.round(taken)} ms`)
  }
})
