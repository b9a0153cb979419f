import t from 'tap'
import { asInstallation, hubFor } from '../hub.ts'

/* Writing check runs and comments: GitHub's limits and rules. */

const hub = await hubFor(t)
const { id } = hub.createInstallation({ account: 'acme', type: 'Organization' })
await hub.createRepository({ owner: 'acme', name: 'infra' })
const pull = await hub.openPullRequest({
  repo: 'acme/infra',
  branch: 'f',
  title: 'F',
  author: 'ann',
  changes: { 'a.tf': 'a\n' },
})
const app = await asInstallation(hub, id)
const checks = '/repos/acme/infra/check-runs'
const comments = `/repos/acme/infra/issues/${pull.number}/comments`
const output = { title: 't', summary: 's' }
const check = { name: 'svc/plan', head_sha: pull.headSha(), output }

t.test('check runs that GitHub refuses', async (t) => {
  const cases: [name: string, body: Record<string, unknown>, said: unknown][] = [
    ['no name', { head_sha: pull.headSha() }, { message: /"name" wasn't supplied/ }],
    ['no sha', { name: 'x' }, { message: /"head_sha" wasn't supplied/ }],
    ['a missing commit', { ...check, head_sha: 'f'.repeat(40) }, { message: /No commit found for SHA/ }],
    ['a branch for a sha', { ...check, head_sha: 'main' }, { message: /No commit found for SHA/ }],
    ['an unknown status', { ...check, status: 'done' }, { errors: [{ field: 'status' }] }],
    ['an unknown conclusion', { ...check, conclusion: 'good' }, { errors: [{ field: 'conclusion' }] }],
    ['completed without a conclusion', { ...check, status: 'completed' }, { errors: [{ field: 'conclusion' }] }],
    ['output without a summary', { ...check, output: { title: 't' } }, { message: /"output.summary" wasn't supplied/ }],
    [
      'a long summary',
      { ...check, output: { ...output, summary: 'x'.repeat(65_536) } },
      { errors: [{ field: 'output.summary', message: /Only 65535 characters are allowed; 65536 were supplied/ }] },
    ],
    [
      'a long text',
      { ...check, output: { ...output, text: 'x'.repeat(65_536) } },
      { errors: [{ field: 'output.text' }] },
    ],
    ['an invalid address', { ...check, details_url: 'svc/runs/1' }, { errors: [{ field: 'details_url' }] }],
    [
      'more than three buttons',
      { ...check, actions: Array(4).fill({ label: 'l', description: 'd', identifier: 'i' }) },
      { errors: [{ field: 'actions' }] },
    ],
    [
      'a long label',
      { ...check, actions: [{ label: 'l'.repeat(21), description: 'd', identifier: 'i' }] },
      { errors: [{ field: 'actions.0.label' }] },
    ],
  ]
  for (const [name, body, said] of cases) {
    const answer = await app('POST', checks, body)
    t.equal(answer.status, 422, name)
    t.match(answer.body, said, name)
  }
  t.strictSame(pull.checkRuns(), [], 'none was made')
})

t.test('a check run through its life', async (t) => {
  const given = { ...check, external_id: 'run-1', status: 'queued', details_url: 'https://svc.example/runs/1' }
  const { body } = await app('POST', checks, given)
  const made = body as { id: number }
  t.match(body, {
    status: 'queued',
    conclusion: null,
    completed_at: null,
    external_id: 'run-1',
    app: { id: hub.app.id },
  })
  const update = (change: unknown) => app('PATCH', `${checks}/${made.id}`, change)
  t.match((await update({ status: 'in_progress', output: { summary: 'half' } })).body, {
    status: 'in_progress',
    output: { title: 't', summary: 'half' },
  })
  t.match((await update({ conclusion: 'failure' })).body, { status: 'completed', conclusion: 'failure' })
  t.match((await update({ status: 'in_progress' })).body, { conclusion: null, completed_at: null }, 'and begins again')
  t.match(pull.checkRuns(), [{ id: made.id, name: 'svc/plan', externalId: 'run-1', status: 'in_progress' }])
})

t.test('a listing shows the latest of each name, filtered by app on request', async (t) => {
  const { body: second } = await app('POST', checks, { ...check, conclusion: 'success' })
  const run = await pull.playWorkflowRun()
  const job = run.job('resolve')
  const list = async (query: string) => {
    const { body } = await app('GET', `/repos/acme/infra/commits/${pull.headSha()}/check-runs${query}`)
    return (body as { check_runs: { id: number; name: string }[] }).check_runs
  }
  const made = (second as { id: number }).id
  t.match(await list(`?app_id=${hub.app.id}`), [{ id: made }])
  t.equal((await list(`?app_id=${hub.app.id}&filter=all`)).length, 2)
  t.strictSame(
    (await list('')).map(({ name }) => name),
    ['resolve', 'svc/plan'],
    'Actions’ jobs are check runs too',
  )
  const foreign = await app('PATCH', `${checks}/${job.id}`, { conclusion: 'success' })
  t.equal(foreign.status, 403, 'which another app may not change')
})

t.test('comments: limits, authorship, a 404 once deleted', async (t) => {
  const { status, body } = await app('POST', comments, { body: 'x'.repeat(65_536) })
  t.equal(status, 201)
  t.match(body, { user: { login: `${hub.app.slug}[bot]`, type: 'Bot' }, performed_via_github_app: { id: hub.app.id } })
  const made = (body as { id: number }).id
  const one = `/repos/acme/infra/issues/comments/${made}`
  t.equal((await app('PATCH', one, { body: 'x'.repeat(65_537) })).status, 422)
  t.equal((await app('PATCH', one, { body: ' ' })).status, 422)
  t.equal((await app('PATCH', one, { body: 'short' })).status, 200)
  const person = pull.comment('svc plan', 'bob')
  const { body: list } = await app('GET', comments)
  t.match(list, [
    { id: made, body: 'short' },
    { id: person.id, body: 'svc plan', user: { login: 'bob', type: 'User' }, performed_via_github_app: null },
  ])
  pull.deleteComment(made, 'bob')
  t.equal((await app('PATCH', one, { body: 'again' })).status, 404)
  t.match(pull.comments(), [{ id: person.id }])
})

t.test('the page of a pull request shows it all and runs none of it', async (t) => {
  pull.comment('<script>alert(1)</script> & more')
  const answer = await fetch(pull.url)
  const page = await answer.text()
  t.equal(answer.status, 200)
  t.match(answer.headers.get('content-security-policy'), /default-src 'none'/)
  t.match(page, '&lt;script&gt;alert(1)&lt;/script&gt; &amp; more')
  t.notMatch(page, '<script>')
  t.match(page, 'svc/plan')
  t.equal((await fetch(`${hub.webUrl}/acme/infra/pull/99`)).status, 404)
  const [shown] = pull.checkRuns()
  t.match(await (await fetch(`${hub.webUrl}/acme/infra/runs/${shown?.id}`)).text(), 'half')
})
