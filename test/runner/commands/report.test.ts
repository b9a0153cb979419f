import t from 'tap'
import { planningJob } from '../job/planning.ts'
import { json, serverFor } from '../token-server.ts'

t.test('checks report before the result, and failing ones are errors in the log', async (t) => {
  const checks = [
    '{ name: policy, run: "test -s $SVC_PLAN_JSON && echo $SVC_STACK $SVC_STACK_PATH $SVC_ENVIRONMENT" }',
    '{ name: cost, run: "echo too much; exit 4", mode: warn }',
    '{ name: tags, run: "pwd; exit 1" }',
    '{ name: later, run: "exit 1", on: apply }',
  ]
  const job = await planningJob(t, {
    files: { 'svc.yml': `version: 1\nchecks:\n${checks.map((one) => `  - ${one}\n`).join('')}` },
  })
  const ran = await job.run(['plan'])
  t.equal(ran.code, 2, "the verdict is the check run's, not the plan's")
  t.match(
    job.service.asked.map(({ path, body }) => [path.split('/').slice(-2).join('/'), body.status, body.summary]),
    [
      ['checks/policy', 'pass', 'network network default'],
      ['checks/cost', 'warn', 'too much'],
      ['checks/tags', 'fail', job.root],
      ['network/result', 'success', { adds: 1 }],
    ],
  )
  t.match(ran.stdout, /::warning::check cost of network: warn, too much\n/)
  t.match(ran.stdout, /::error::check tags of network: fail, /)
})

t.test("a held result waits for the verdicts of the job's own steps", async (t) => {
  const job = await planningJob(t)
  t.equal((await job.run(['plan', '--hold'])).code, 2)
  t.equal(job.service.asked.length, 0)
  const passed = await job.run(['check', 'policy', '--', 'sh', '-c', 'grep -c terraform_data.a {} "$SVC_PLAN_JSON"'])
  t.equal(passed.code, 0, passed.stdout)
  const failed = await job.run(['check', 'tags', '--', 'sh', '-c', 'echo untagged; exit 3'])
  t.equal(failed.code, 1, 'a check that fails fails its step')
  t.equal((await job.run(['check', 'cost', '--mode', 'warn', '--', 'false'])).code, 0)
  t.equal((await job.run(['report'])).code, 0)
  t.match(
    job.service.asked.map(({ path, body }) => [path.split('/').at(-1), body.status]),
    [
      ['policy', 'pass'],
      ['tags', 'fail'],
      ['cost', 'warn'],
      ['result', 'success'],
    ],
  )
  const again = await job.run(['report', '--json'])
  t.equal(again.code, 0)
  t.same(again.json, { stacks: [{ key: 'network', outcome: 'reported' }] })
  t.equal(job.results().length, 1, 'what was reported is left alone')
})

t.test('a verdict hides values of variables that are declared sensitive, in base64 too', async (t) => {
  const text = 'of-environment-1'
  const said = `found ${text} ${btoa(text)} ${btoa(`key=${text};`)}`
  const job = await planningJob(t, {
    files: { 'network/variables.tf': 'variable "given" {\n  sensitive = true\n}\n', 'more.md': `${said}\n` },
  })
  const env = { TF_VAR_given: text }
  t.equal((await job.run(['plan', '--hold'], { env })).code, 2)
  const script = `echo '${said}'; echo '${said}' >&2; echo '${said} last'; exit 1`
  const ran = await job.run(['check', 'policy', '--', 'sh', '-c', script], { env })
  t.equal(ran.code, 1)
  const named = ['check', 'audit', '--status=warn', `--summary=${said}`, '--details-file=more.md', '--json']
  const given = await job.run(named, { env })
  t.equal(given.code, 0)
  const hidden = /^found \*\*\* \*\*\* \S*\*\*\*\S*/
  t.match(
    job.service.asked.map(({ body }) => [body.status, body.summary]),
    [
      ['fail', hidden],
      ['warn', hidden],
    ],
  )
  const printed = ran.stdout.split('\n').filter((line) => line.includes('check policy of network'))
  t.match(printed, [/check policy of network: fail, found \*\*\* \*\*\* \S*\*\*\*\S* last$/])
  t.match(given.json, { checks: [{ name: 'audit', summary: hidden }] })
  const sent = JSON.stringify([job.service.asked, given.json]) + printed + ran.summary + given.summary
  for (const secret of [text, btoa(text), btoa(`key=${text};`)]) t.notMatch(sent, secret)
})

t.test('a verdict may be given without a program', async (t) => {
  const job = await planningJob(t, { files: { 'more.md': '# More\n' } })
  const args = [
    'check',
    'audit',
    '--status',
    'warn',
    '--summary',
    'see below',
    '--details-file',
    'more.md',
    '--details-url',
    'https://x.example/1',
  ]
  t.equal((await job.run(args)).code, 0)
  t.same(job.service.asked[0]?.body, {
    status: 'warn',
    summary: 'see below',
    details: '# More\n',
    details_url: 'https://x.example/1',
  })
  t.equal((await job.run(['check', 'audit', '--status', 'fail'])).code, 0, 'it is posted, which is all that was asked')
  const table = [
    [['check'], /the name of the check comes first/],
    [['check', 'plan', '--status', 'pass'], /'plan' is not a name for a check/],
    [['check', 'a'], /either --status, or -- and a program/],
    [['check', 'a', '--status', 'pass', '--', 'true'], /exclude each other/],
    [['check', 'a', '--status', 'passed'], /--status=passed: expected pass, fail or warn/],
    [['check', 'a', '--mode', 'x', '--', 'true'], /--mode=x: expected fail or warn/],
    [['check', 'a', '--status', 'pass', '--details-url', 'x'], /--details-url=x: expected an http/],
    [['check', 'a', '--status', 'pass', '--details-file', 'none'], /--details-file: ENOENT/],
    [['check', 'a', '--'], /'--' is followed by no program/],
    [['check', 'a', '--', 'true'], /there is no plan of network to check/],
  ] as const
  await Promise.all(
    table.map(async ([args, said]) => {
      const ran = await job.run(args)
      t.equal(ran.code, 1, args.join(' '))
      t.match(ran.stdout, said)
    }),
  )
  t.equal(job.service.asked.length, 2)
})

t.test('a stack that was never planned is reported as such', async (t) => {
  const job = await planningJob(t)
  t.equal((await job.run(['report'])).code, 0)
  t.match(job.results(), [{ status: 'error', error_text: /the job ended before the stack was planned/ }])
  await job.run(['plan', '--hold'])
  const other = '11111111-bc3c-4191-be17-83c114311d67'
  await job.run(['report'], { env: { SVC_RUN_ID: other } })
  t.match(job.results()[1], { status: 'error' }, "the result of another run is not this one's")
  await job.run(['plan', '--hold'])
  t.equal((await job.run(['report'], { env: { SVC_STACK: undefined } })).code, 0)
  t.match(job.results()[2], { status: 'success' }, 'without a named stack it is whatever was kept')
})

t.test('what the service refuses exits 3, and what it cannot take exits 1', async (t) => {
  const table = [
    [409, 'superseded', 3],
    [409, 'conflict', 3],
    [403, 'forbidden', 3],
    [423, 'locked', 3],
    [400, 'invalid', 1],
    [404, 'not_found', 1],
    [401, 'unauthorized', 1],
  ] as const
  let refusal: [number, unknown] = [500, {}]
  const job = await planningJob(t, { refuse: () => refusal })
  t.equal((await job.run(['plan', '--hold'])).code, 2)
  for (const [status, code, expected] of table) {
    refusal = [status, { code, message: 'the message' }]
    const ran = await job.run(['report'])
    t.equal(ran.code, expected, code)
    t.match(ran.stdout, new RegExp(`::error::POST .*/result: the service answered ${status} ${code}: the message`))
  }
  refusal = [409, { code: 'superseded', message: 'm' }]
  t.equal((await job.run(['plan'])).code, 3, 'and so does a plan that it refuses')
  refusal = [400, { code: 'invalid', message: 'm' }]
  t.equal((await job.run(['plan'])).code, 1, 'and what it cannot take is not hidden behind changes')
  t.equal((await job.run(['plan', '--changes-ok'])).code, 1)
  const checks = { 'svc.yml': 'version: 1\nchecks: [{ name: size, run: "true" }]\n' }
  const verdicts = await planningJob(t, {
    files: checks,
    refuse: ({ path }) => (path.includes('/checks/') ? [400, { code: 'invalid', message: 'm' }] : undefined),
  })
  t.equal((await verdicts.run(['plan'])).code, 1, 'nor is a verdict')
})

t.test('a service that cannot be reached does not stop a plan, whose result is kept', async (t) => {
  const job = await planningJob(t)
  const { url, asked } = await serverFor(t, (_, response) =>
    json(response, 503, { code: 'unavailable', message: 'down' }),
  )
  const ran = await job.run(['plan'], { env: { SVC_URL: url } })
  t.equal(ran.code, 2)
  t.equal(asked.filter(({ path }) => path.endsWith('/result')).length, 4)
  t.match(ran.stdout, /::warning::.*trying again in 200 ms\n.*trying again in 800 ms\n.*trying again in 2000 ms/s)
  t.match(ran.stdout, /The result of network is unconfirmed and kept in \S+\.json/)
  t.equal((await job.run(['report'])).code, 0)
  t.match(job.results(), [{ status: 'success', exit_code: 2 }], 'and can be reported later')
})

t.test('without a run nothing is reported, and the log says so', async (t) => {
  const job = await planningJob(t)
  const env = { SVC_RUN_ID: '', SVC_UNCONFIRMED: 'true' }
  const ran = await job.run(['plan'], { env })
  t.equal(ran.code, 2)
  t.match(ran.stdout, /::warning::network: svc resolve registered no run, so nothing is reported/)
  t.equal((await job.run(['report'], { env })).code, 0)
  t.equal((await job.run(['check', 'a', '--', 'true'], { env })).code, 0)
  t.equal(job.service.asked.length, 0)

  t.equal((await job.run(['plan'], { env: { SVC_UNCONFIRMED: 'true' } })).code, 2)
  t.match(job.results(), [{ status: 'success', unconfirmed: true }], 'a run that may have its graph gets the result')
  const lost = await planningJob(t, { refuse: () => [404, { code: 'not_found', message: 'no such stack' }] })
  lost.write({ 'svc.yml': 'version: 1\nchecks: [{ name: size, run: "true" }]\n' })
  t.equal(
    (await lost.run(['plan'], { env: { SVC_UNCONFIRMED: 'true' } })).code,
    2,
    'one without its graph accepts nothing',
  )
})

t.test('a job without a token does nothing, and that is not a failure', async (t) => {
  const job = await planningJob(t)
  const env = { ACTIONS_ID_TOKEN_REQUEST_TOKEN: undefined }
  for (const args of [['plan'], ['check', 'a', '--status', 'pass'], ['report']]) {
    const ran = await job.run(args, { env })
    t.equal(ran.code, 0, args.join(' '))
    t.match(ran.stdout, /::warning::the job has no OIDC token: a pull request from a fork gets none/)
  }
  t.same((await job.run(['plan', '--json'], { env })).json, { stacks: [] }, 'which is an answer too')
  t.same([job.service.asked.length, job.read('network/calls')], [0, undefined])
  const unset = await job.run(['plan'], { env: { SVC_URL: '' } })
  t.equal(unset.code, 1)
  t.match(unset.stdout, /::error::SVC_URL: is not set/)
})

t.test("in a person's shell a stack is planned and nothing reported", async (t) => {
  const job = await planningJob(t)
  const env = {
    GITHUB_ACTIONS: undefined,
    ACTIONS_ID_TOKEN_REQUEST_URL: undefined,
    SVC_RUN_ID: undefined,
    RUNNER_TEMP: undefined,
  }
  const ran = await job.run(['plan', '--stack', 'network'], { env })
  t.equal(ran.code, 2)
  t.match(ran.stdout, /terraform plan \(network\)\nthe plan goes by\nnetwork: \+1 ~0 -0 ±0/)
  t.equal(job.service.asked.length, 0)
  const asJson = await job.run(['plan', '--json'], { env })
  t.match(asJson.json, { stacks: [{ key: 'network', status: 'success', exit_code: 2 }] })
  t.match(asJson.stderr, /the plan goes by/, 'everything else goes to standard error')
  const report = await job.run(['report'], { env })
  t.equal(report.code, 1)
  t.match(report.stderr, /svc report is for a job/)
})
