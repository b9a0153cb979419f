import t from 'tap'
import { applyingJob } from '../job/applying.ts'
import { git } from '../job/planning.ts'
import { json, serverFor } from '../token-server.ts'

/* What keeps an apply from beginning, and what cuts one off. */

t.test('a signal reaches the tool once, as an interrupt, and the outcome is still reported', async (t) => {
  const trap = 'for s in INT TERM HUP; do trap "echo got-$s | tee -a signals" $s; done\n'
  const wait = 'until [ -e ended ]; do echo turn; sleep 0.02; done; exit 1\n'
  const checks = 'version: 1\nchecks: [{ name: smoke, run: "true", on: apply }]\n'
  for (const [first, second] of [['SIGINT', 'SIGTERM'], ['SIGTERM'], ['SIGHUP']] as const) {
    const hook = `${trap}echo applying\n${wait}`
    const job = await applyingJob(t, { files: { 'network/apply-hook': hook, 'svc.yml': checks } })
    const ran = await job.apply([], {
      asProcess: (child) => {
        let turns: number | undefined
        child.stdout?.on('data', (chunk: Buffer) => {
          const text = chunk.toString()
          if (text.includes('applying')) child.kill(first)
          if (text.includes('got-')) {
            // A cancelled job gets it second; the tool would take it for impatience.
            if (second !== undefined) child.kill(second)
            turns = 0
          }
          // What is relayed now was said after the client had its second signal.
          if (turns !== undefined && turns++ === 8) job.write({ 'network/ended': '' })
        })
      },
    })
    t.equal(ran.code, 1)
    t.equal(job.read('network/signals'), 'got-INT\n', first)
    t.match(job.results(), [{ mode: 'apply', status: 'failure' }])
    const said = `after the job was sent ${first}: its changes may be half done`
    t.equal(job.results()[0].error_text.split('\n').at(-1), `terraform apply ended with exit status 1, ${said}`)
    t.equal(job.verbs().at(-1), 'apply', 'nothing further is started')
  }
})

t.test('an apply whose client is killed is reported as cut off by svc report', async (t) => {
  const job = await applyingJob(t, { files: { 'network/apply-hook': 'echo applying\nkill -KILL $PPID\nexit 1\n' } })
  const ran = await job.apply([], { asProcess: true })
  t.equal(ran.code, null)
  t.equal(job.results().length, 0)
  const reported = await job.run(['report'], { env: job.dispatched('apply') })
  t.equal(reported.code, 0, reported.stdout)
  t.match(job.results(), [
    {
      mode: 'apply',
      status: 'error',
      error_text: /svc was killed during terraform apply/,
      job_url: /runs\/4711/,
    },
  ])
  const other = await applyingJob(t)
  await other.run(['report'], { env: other.dispatched('apply') })
  t.match(other.results(), [
    { mode: 'apply', status: 'error', error_text: /the job ended before the stack was applied/ },
  ])
})

t.test("without the service's permission the tool is never started", async (t) => {
  const refusals = [
    [403, 'forbidden'],
    [409, 'superseded'],
    [409, 'conflict'],
    [423, 'locked'],
    [404, 'not_found'],
    [401, 'unauthorized'],
  ] as const
  let refusal: [number, unknown] | undefined
  const job = await applyingJob(t, { refuse: () => refusal })
  for (const [at, [status, code]] of refusals.entries()) {
    refusal = [status, { code, message: 'the message' }]
    const ran = await job.apply()
    t.equal(ran.code, 3, code)
    t.match(
      ran.stdout,
      new RegExp(`::error::nothing is applied: POST .*/v1/runs: the service answered ${status} ${code}: the message`),
    )
    t.equal(job.service.asked.length, at + 1, 'a refusal is final')
  }
  refusal = undefined
  const down = await serverFor(t, (_, response) => json(response, 503, { code: 'unavailable', message: 'down' }))
  const table = [
    ['it cannot be reached', { SVC_URL: down.url }, 3, /::error::nothing is applied: POST .*503 unavailable: down/],
    [
      'the job has no token',
      { ACTIONS_ID_TOKEN_REQUEST_TOKEN: undefined },
      3,
      /nothing is applied: the job has no OIDC token/,
    ],
    ['no run is named', { SVC_RUN_ID: '' }, 1, /SVC_RUN_ID: is not set: an apply belongs to a run/],
    ['no address is', { SVC_URL: '' }, 1, /SVC_URL: is not set/],
    ['no stack is', { SVC_MATRIX: '' }, 1, /no stack is named/],
    [
      'several are',
      { SVC_MATRIX: '{"key":"x","stacks":["network","app"]}' },
      1,
      /an apply takes one stack, and these are named: network, app/,
    ],
    ['another commit is meant', { SVC_SHA: 'b'.repeat(40) }, 1, /is checked out, but the job is for network at b{40}/],
  ] as const
  for (const [when, env, code, said] of table) {
    const ran = await job.apply([], { env })
    t.equal(ran.code, code, when)
    t.match(ran.stdout, said)
  }
  t.equal(down.asked.length, 4, 'tried three times again')
  t.equal(job.service.asked.length, refusals.length)

  const planning = { ...job.dispatched('plan'), SVC_MODE: 'apply' }
  const wrong = await job.run(['apply'], { env: planning })
  t.equal(wrong.code, 3)
  t.match(wrong.stdout, /nothing is applied: run \S+ has mode plan, but apply of network was asked for/)
  const person = await job.apply([], { env: { GITHUB_ACTIONS: undefined, ACTIONS_ID_TOKEN_REQUEST_URL: undefined } })
  t.equal(person.code, 3)
  t.match(person.stderr, /nothing is applied: svc apply is for a job that the service dispatched/)
  t.equal(job.read('network/calls'), undefined)
})

t.test('a job that the service refused reports nothing of its stack, and one that could not ask it does', async (t) => {
  let refusal: [number, unknown] | undefined = [403, { code: 'forbidden', message: 'its dispatch is over' }]
  const job = await applyingJob(t, { refuse: ({ path }) => (path === '/v1/runs' ? refusal : undefined) })
  const env = job.dispatched('apply')
  t.equal((await job.apply()).code, 3)
  const silent = await job.run(['report'], { env })
  t.equal(silent.code, 3)
  t.match(silent.stdout, /::warning::network: the service refused the job, so nothing is reported/)
  t.equal(job.results().length, 0)
  refusal = [503, { code: 'unavailable', message: 'down' }]
  t.equal((await job.apply()).code, 3)
  t.equal((await job.run(['report'], { env })).code, 3, 'the earlier refusal still counts')
  refusal = undefined
  t.equal((await job.apply()).code, 0)
  const down = await applyingJob(t, { refuse: ({ path }) => (path === '/v1/runs' ? [503, {}] : undefined) })
  await down.apply()
  t.equal((await down.run(['report'], { env: down.dispatched('apply') })).code, 0)
  t.match(down.results(), [{ status: 'error', error_text: /the job ended before the stack was applied/ }])
})

t.test('another commit than that of the run is not applied, whatever the inputs say', async (t) => {
  const job = await applyingJob(t)
  git(job.root, 'commit', '-q', '--allow-empty', '-m', 'two')
  const ran = await job.apply([], { env: { SVC_SHA: '' } })
  t.equal(ran.code, 3)
  t.match(ran.stdout, /nothing is applied: [0-9a-f]{40} is checked out, but run \S+ is for [0-9a-f]{40}/)
  t.equal(job.read('network/calls'), undefined)
})

t.test('a result that the service cannot take is kept, and the step fails', async (t) => {
  let isDown = true
  const job = await applyingJob(t, {
    refuse: ({ path }) =>
      isDown && path.endsWith('/result') ? [503, { code: 'unavailable', message: 'down' }] : undefined,
  })
  const ran = await job.apply()
  t.equal(ran.code, 1)
  t.match(ran.stdout, /The result of network is unconfirmed and kept in/)
  isDown = false
  const env = job.dispatched('apply')
  t.equal((await job.run(['report'], { env })).code, 0)
  t.match(job.results().at(-1), { mode: 'apply', status: 'success', has_changes: true })
  const held = await job.apply(['--hold'])
  t.equal(held.code, 0)
  t.equal((await job.run(['report', '--json'], { env })).json.stacks[0].outcome, 'reported')
  t.match(job.results().at(-1), { mode: 'apply', status: 'success' })
})
