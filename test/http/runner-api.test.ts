import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { type Answer, addKey, addRepository, type Claims, headSha, openPull, serve } from '#test/scenes/served.ts'

const service = await serve(t)
await addRepository(service.databaseUrl)

const registerOf = (number: number) => ({
  repo: 'acme/infra',
  sha: headSha,
  base_sha: 'b'.repeat(40),
  pr_number: number,
  mode: 'plan',
})

const stack = (path: string) => ({ key: path, path, tool: 'terraform', tool_version: '1.11.4' })

const upload = {
  graph: {
    repo: 'acme/infra',
    sha: headSha,
    tree_hash: 'tree-1',
    stacks: [stack('aws/prod/network'), stack('aws/prod/app'), stack('aws/dev')],
    modules: [],
    edges: [
      {
        from: { kind: 'stack', key: 'aws/prod/app' },
        to: { kind: 'stack', key: 'aws/prod/network' },
        type: 'depends_on',
      },
    ],
  },
  changed_paths: ['aws/prod/network/main.tf'],
  base_sha: 'b'.repeat(40),
  config: { version: 1, tool: 'terraform' },
}

const summary = { adds: 1, changes: 0, destroys: 0, replaces: 0, added: ['terraform_data.a'] }
const planned = {
  mode: 'plan',
  status: 'success',
  exit_code: 2,
  has_changes: true,
  summary,
  plan_text: 'Plan: 1 to add',
}

let pullRequests = 100

/** A pull request for one test, and its jobs: each request with a new token of theirs. */
const pullRequest = () => {
  pullRequests += 1
  const number = pullRequests
  service.pulls.set(number, openPull({ number }))
  const token = (changes: Claims = {}) => service.token({ ref: `refs/pull/${number}/merge`, ...changes })
  const call = async (method: string, path: string, body?: unknown, credential?: string) =>
    service.call(method, path, body, credential ?? (await token()))
  return { number, register: registerOf(number), token, call }
}

/** Its run: registered and, unless set otherwise, resolved. */
const started = async (t: Test, { resolved = true } = {}) => {
  const pull = pullRequest()
  const { json } = await pull.call('POST', '/v1/runs', pull.register)
  const run = `/v1/runs/${json.run_id}`
  if (resolved) t.match(await pull.call('POST', `${run}/graph`, upload), { status: 200 })
  const stackPath = (key: string) => `${run}/stacks/${encodeURIComponent(key)}`
  const report = (key: string, body: object) => pull.call('POST', `${stackPath(key)}/result`, body)
  return { ...pull, id: String(json.run_id), run, stackPath, report }
}

const is = (t: Test, answer: Answer, status: number, code: string, message: RegExp) =>
  t.match(answer, { status, json: { code, message } })

t.test('a job registers the run of its pull request: 201, and 200 if it exists', async (t) => {
  const { call, register, number } = pullRequest()
  const made = await call('POST', '/v1/runs', { ...register, unknown_field: 1 })
  t.equal(made.status, 201)
  const id = made.json.run_id
  t.match(made.json, {
    status: 'pending',
    existing: false,
    run: {
      id,
      repo: 'acme/infra',
      sha: headSha,
      base_sha: 'b'.repeat(40),
      pr_number: number,
      trigger: 'pull_request',
      mode: 'plan',
      status: 'pending',
      created_at: '2026-03-01T12:00:00.000Z',
      waves: 0,
      current_wave: 0,
      html_url: `https://svc.example.com/runs/${id}`,
    },
  })
  t.notOk('started_at' in made.json.run, 'empty fields are left out')
  const again = await call('POST', '/v1/runs', register)
  t.match(again, { status: 200, json: { run_id: id, existing: true, status: 'pending' } })
})

t.test('the graph is answered with the affected stacks in waves and a matrix', async (t) => {
  const { call, run, id } = await started(t, { resolved: false })
  const { status, json, text } = await call('POST', `${run}/graph`, upload)
  t.equal(status, 200, text)
  t.match(json, { run_id: id, waves: [['aws/prod/network'], ['aws/prod/app']] })
  t.match(json.affected, [
    { key: 'aws/prod/network', path: 'aws/prod/network', wave: 0, reasons: ['changed'] },
    { key: 'aws/prod/app', wave: 1, reasons: ['dependent'], via: ['aws/prod/network'] },
  ])
  t.match(json.matrix.include, [
    { stack: 'aws/prod/network', key: 'aws/prod/network', wave: 0, sha: headSha, tool_version: '1.11.4' },
    { stack: 'aws/prod/app', wave: 1, environment: 'default', tool: 'terraform', plan_output: 'full' },
  ])
})

t.test('a dependency cycle is 200 with the cycle spelled out, and the run has failed', async (t) => {
  const { call, run } = await started(t, { resolved: false })
  const back = { from: upload.graph.edges[0]?.to, to: upload.graph.edges[0]?.from, type: 'depends_on' }
  const graph = { ...upload.graph, edges: [...upload.graph.edges, back] }
  const { status, json } = await call('POST', `${run}/graph`, { ...upload, graph })
  t.equal(status, 200)
  t.match(json.cycles, [/aws\/prod\/.+ → aws\/prod\/.+ → aws\/prod\//])
  is(t, await call('GET', run), 409, 'conflict', /failed/)
})

t.test('an invalid graph is 400 and names its field', async (t) => {
  const { call, run } = await started(t, { resolved: false })
  const cases: [body: unknown, field: string][] = [
    ['{"graph":', 'body'],
    [{ ...upload, graph: undefined }, 'graph'],
    [{ ...upload, graph: { ...upload.graph, sha: 'c'.repeat(40) } }, 'graph.sha'],
    [{ ...upload, graph: { ...upload.graph, repo: 'acme/other' } }, 'graph.repo'],
    [{ ...upload, changed_paths: 'all' }, 'changed_paths'],
    [{ ...upload, stacks: ['nowhere'] }, 'stacks'],
  ]
  for (const [body, field] of cases) {
    const answer = await call('POST', `${run}/graph`, body)
    t.match(answer, { status: 400, json: { code: 'invalid', details: { field } } }, field)
  }
})

t.test('results end the stacks and the run; the same result twice changes nothing', async (t) => {
  const { call, run, report, id } = await started(t)
  const row = await report('aws/prod/network', planned)
  t.equal(row.status, 200)
  t.match(row.json, {
    key: 'aws/prod/network',
    path: 'aws/prod/network',
    wave: 0,
    status: 'planned',
    reasons: ['changed'],
    summary,
    exit_code: 2,
    plan_text: 'Plan: 1 to add',
  })
  t.same((await report('aws/prod/network', planned)).json, row.json, 'a repeat')
  is(t, await report('aws/prod/network', { ...planned, exit_code: 0 }), 409, 'conflict', /./)
  const reading = await call('GET', run)
  t.match(reading, { status: 200, json: { id, status: 'planning', waves: 2 } })
  t.match(reading.json.stacks, [
    { key: 'aws/prod/network', status: 'planned' },
    { key: 'aws/prod/app', status: 'planning' },
  ])
  t.match((await report('aws/prod/app', { mode: 'plan', status: 'success', exit_code: 0 })).json, { status: 'noop' })
  is(t, await call('GET', run), 409, 'conflict', /planned/)
  is(t, await call('POST', `${run}/graph`, { ...upload, changed_paths: [] }), 409, 'conflict', /planned/)
})

t.test('an API key reads every run, and reports only for its own', async (t) => {
  const { call, run, stackPath, register } = await started(t)
  const key = await addKey(service.databaseUrl, 'reader')
  t.match(await call('GET', run, undefined, key), { status: 200, json: { status: 'planning' } })
  const result = await call('POST', `${stackPath('aws/prod/app')}/result`, planned, key)
  is(t, result, 403, 'forbidden', /manual runs only/)
  const verdict = await call('POST', `${stackPath('aws/prod/app')}/checks/cost`, { status: 'pass' }, key)
  is(t, verdict, 403, 'forbidden', /manual runs only/)
  is(t, await call('POST', '/v1/runs', register, key), 400, 'invalid', /plan run/)
})

t.test('a verdict is recorded and replaced, and shown on its stack', async (t) => {
  const { call, run, stackPath } = await started(t)
  const check = `${stackPath('aws/prod/network')}/checks/cost.v1`
  const verdict = { status: 'warn', summary: '+ 12 €', details: 'much', details_url: 'https://cost.example.com/1' }
  const { status, json } = await call('POST', check, verdict)
  t.equal(status, 200)
  t.match(json, { name: 'cost.v1', status: 'warn', summary: '+ 12 €', details_url: 'https://cost.example.com/1' })
  t.notOk('details' in json, 'details are only for the check run')
  t.match((await call('POST', check, { status: 'pass' })).json, { name: 'cost.v1', status: 'pass' })
  const shown = await call('GET', run)
  t.match(shown.json.stacks[0].checks, [{ name: 'cost.v1', status: 'pass', updated_at: '2026-03-01T12:00:00.000Z' }])
  const wrong = await call('POST', check, { status: 'pass', details_url: 'javascript:alert(1)' })
  t.match(wrong, { status: 400, json: { details: { field: 'details_url', reason: /http/ } } })
})

t.test('a stack has verdicts of a hundred names, however many come at the same time', async (t) => {
  const { call, run, stackPath } = await started(t)
  const post = (name: string, status = 'pass', key = 'aws/prod/network') =>
    call('POST', `${stackPath(key)}/checks/${name}`, { status })
  const answers = await Promise.all(Array.from({ length: 104 }, (_, n) => post(`c${n}`)))
  const refused = answers.filter(({ status }) => status !== 200)
  t.equal(refused.length, 4)
  for (const answer of refused) is(t, answer, 409, 'conflict', /aws\/prod\/network has verdicts of 100 names/)
  const { stacks } = (await call('GET', run)).json
  const [{ name }] = stacks[0].checks
  t.equal(stacks[0].checks.length, 100)
  t.equal((await post(name, 'fail')).status, 200, 'one of them is replaced as before')
  t.equal((await post('c0', 'pass', 'aws/prod/app')).status, 200, 'and another stack has its own')
})

t.test('missing things are 404: runs, stacks', async (t) => {
  const { call, report } = await started(t)
  const key = await addKey(service.databaseUrl, 'reader')
  is(t, await call('GET', `/v1/runs/${randomUUID()}`, undefined, key), 404, 'not_found', /does not exist/)
  is(t, await report('aws/nowhere', planned), 404, 'not_found', /./)
  const graph = await call('POST', `/v1/runs/${randomUUID()}/graph`, upload)
  is(t, graph, 404, 'not_found', /does not exist/)
})

t.test('claims that do not match the run are 403', async (t) => {
  const { call, run, register, token } = await started(t)
  const other = await token({ ref: 'refs/pull/13/merge' })
  is(t, await call('GET', run, undefined, other), 403, 'forbidden', /pull request 13/)
  const mismatch = await call('POST', '/v1/runs', { ...register, pr_number: 13 })
  is(t, mismatch, 403, 'forbidden', /not to 13/)
  const attempt = await token({ run_attempt: '2' })
  is(t, await call('POST', `${run}/graph`, upload, attempt), 403, 'forbidden', /same attempt/)
  is(t, await call('POST', '/v1/runs', { ...register, mode: 'apply' }), 400, 'invalid', /mode: /)
})

t.test('a newer head supersedes the run: late jobs get 409 superseded', async (t) => {
  const { call, number, register, run, report } = await started(t)
  const newer = 'e'.repeat(40)
  service.pulls.set(number, openPull({ number, headSha: newer }))
  is(t, await call('POST', '/v1/runs', register), 409, 'superseded', /not the head/)
  t.equal((await call('POST', '/v1/runs', { ...register, sha: newer })).status, 201)
  is(t, await report('aws/prod/network', planned), 409, 'superseded', /./)
  is(t, await call('GET', run), 409, 'superseded', /./)
  is(t, await call('POST', `${run}/graph`, upload), 409, 'superseded', /./)
})

t.test('a key whose directory has odd characters is one parameter', async (t) => {
  const { call, run, report } = await started(t, { resolved: false })
  const odd = 'eu 1/ä%2F+#?'
  const graph = { ...upload.graph, stacks: [stack(odd)], edges: [] }
  t.match(await call('POST', `${run}/graph`, { ...upload, graph, changed_paths: [`${odd}/main.tf`] }), { status: 200 })
  t.match(await report(odd, planned), { status: 200, json: { key: odd, status: 'planned' } })
})
