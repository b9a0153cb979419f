import { createPrivateKey } from 'node:crypto'
import { decodeJwt } from 'jose'
import t from 'tap'
import { check, paged, privateKey, pull, pullPath, repo, type Seen, scriptedGitHub } from './scripted-github.ts'

t.test('a pull request is read with the token of the installation, asked for once', async (t) => {
  const github = await scriptedGitHub(t, {
    [pullPath]: () => ({ json: pull, headers: { 'x-ratelimit-remaining': '4999' } }),
  })
  const read = await github.host.getPullRequest(repo, 3)
  t.same(read, {
    number: 3,
    title: 'A change',
    state: 'open',
    mergedAt: null,
    mergeCommitSha: null,
    draft: false,
    headSha: 'h1',
    headRef: 'feature',
    headRepoId: 9,
    baseSha: 'b1',
    baseRef: 'main',
    author: 'ada',
    mergeable: null,
    mergeableState: 'unknown',
    changedFiles: 2,
  })
  await Promise.all([github.host.getPullRequest(repo, 3), github.host.getPullRequest(repo, 3)])
  t.equal(github.tokens.length, 1, 'one token for three calls')
  t.equal(github.tokens[0]?.path, '/app/installations/42/access_tokens')
  const jwt = github.tokens[0]!.headers.authorization!.replace(/^bearer /i, '')
  t.equal(Number(decodeJwt(jwt).iss), 7, 'signed as the app')
  t.match(github.seen[0]?.headers, {
    authorization: 'token ghs_42',
    'x-github-api-version': '2022-11-28',
    'user-agent': /^svc /,
  })
  t.same(github.remaining, [4999, 4999, 4999])
})

t.test('calls carry the id of their cause', async (t) => {
  const github = await scriptedGitHub(t, { [pullPath]: () => ({ json: pull }) })
  await github.host.causedBy('delivery-1').getPullRequest(repo, 3)
  await github.host.getPullRequest(repo, 3)
  t.same(
    github.seen.map(({ headers }) => headers['x-request-id']),
    ['delivery-1', undefined],
  )
})

t.test('a key in PKCS#8 works as well', async (t) => {
  const pkcs8 = createPrivateKey(privateKey).export({ type: 'pkcs8', format: 'pem' }).toString()
  const github = await scriptedGitHub(t, { [pullPath]: () => ({ json: pull }) }, { privateKey: pkcs8 })
  t.match(await github.host.getPullRequest(repo, 3), { number: 3 })
})

t.test('a missing thing is undefined', async (t) => {
  const github = await scriptedGitHub(t, {})
  t.equal(await github.host.getPullRequest(repo, 3), undefined)
  t.equal(await github.host.readFile(repo, 'svc.yml'), undefined)
  t.equal(await github.host.branchHead(repo, 'gone'), undefined)
  t.equal(await github.host.updateComment(repo, 5, 'text'), false, 'a comment that a person deleted')
  t.equal(await github.host.updateCheckRun(repo, 5, check), false, 'a check run that GitHub dropped')
  t.equal(await github.host.findComment({ ...repo }, 3, '<!-- m -->').catch((error) => error.hostStatus), 404)
})

t.test('an installation that gives no token refuses: its 404 is not about the thing asked for', async (t) => {
  const github = await scriptedGitHub(t, {
    'POST /app/installations/43/access_tokens': () => ({ status: 404, json: { message: 'Not Found' } }),
  })
  const gone = { ...repo, installation_id: 43 }
  await t.rejects(github.host.getPullRequest(gone, 3), { name: 'Refusal', status: 403, message: /gives no token/ })
  await t.rejects(github.host.updateComment(gone, 5, 'text'), { name: 'Refusal', status: 403 })
})

t.test('lists are read to their end, under one route in the metrics', async (t) => {
  const files = [
    { filename: 'a/main.tf', status: 'modified' },
    { filename: 'b/new.tf', status: 'renamed', previous_filename: 'b/old.tf' },
    { filename: 'c/copy.tf', status: 'copied', previous_filename: 'c/main.tf' },
    { filename: 'd/gone.tf', status: 'removed' },
    { filename: 'a/main.tf', status: 'modified' },
  ]
  const runs = [1, 2, 3].map((id) => ({
    id,
    name: `svc/x${id}`,
    external_id: id === 2 ? null : `e${id}`,
    conclusion: null,
  }))
  const repositories = [1, 2, 3].map((id) => ({
    id,
    name: `r${id}`,
    owner: { login: 'octo' },
    default_branch: 'main',
    archived: id === 3,
  }))
  const installations = [
    { id: 1, account: { id: 11, login: 'octo', type: 'Organization' }, suspended_at: null },
    { id: 2, account: { id: 12, slug: 'enterprise', name: 'An enterprise' } },
    { id: 3, account: { id: 13, login: 'ada', type: 'User' }, suspended_at: '2026-01-01T00:00:00Z' },
  ]
  const github = await scriptedGitHub(t, {
    'GET /repos/octo/infra/pulls/3/files': paged(files, (page) => page),
    'GET /repos/octo/infra/commits/h1/check-runs': paged(runs, (check_runs) => ({ total_count: 3, check_runs })),
    'GET /installation/repositories': paged(repositories, (page) => ({ total_count: 3, repositories: page })),
    'GET /app/installations': paged(installations, (page) => page),
  })
  t.same(await github.host.listPullRequestPaths(repo, 3), [
    'a/main.tf',
    'b/new.tf',
    'b/old.tf',
    'c/copy.tf',
    'd/gone.tf',
  ])
  t.same(
    github.seen.map(({ query }) => [query.get('page'), query.get('per_page')]),
    [
      [null, '100'],
      ['2', '100'],
      ['3', '100'],
    ],
  )
  t.same(await github.host.listCheckRuns(repo, { sha: 'h1', name: 'svc/x' }), [
    { id: 1, name: 'svc/x1', externalId: 'e1' },
    { id: 2, name: 'svc/x2', externalId: null },
    { id: 3, name: 'svc/x3', externalId: 'e3' },
  ])
  t.match(Object.fromEntries(github.seen.at(-1)!.query), { app_id: '7', check_name: 'svc/x', filter: 'all', page: '2' })
  t.equal((await github.host.listRepositories(42)).length, 3)
  t.same((await github.host.listRepositories(42)).at(-1), {
    id: 3,
    owner: 'octo',
    name: 'r3',
    defaultBranch: 'main',
    archived: true,
  })
  t.same(await github.host.listInstallations(), [
    { id: 1, accountId: 11, accountLogin: 'octo', accountType: 'Organization', suspendedAt: null },
    { id: 3, accountId: 13, accountLogin: 'ada', accountType: 'User', suspendedAt: '2026-01-01T00:00:00Z' },
  ])
  t.match(github.seen.at(-1)?.headers.authorization, /^bearer ey/, 'as the app')
  t.equal(new Set(github.requests.map(([route]) => route)).size, 5, 'four lists and the token')
})

t.test('writes of one installation are sent a second apart, and delay no other installation', async (t) => {
  const arrived: [installation: string, at: number][] = []
  const patch = 'PATCH /repos/octo/infra/issues/comments/5'
  const note = ({ headers }: Pick<Seen, 'headers'>) => {
    arrived.push([String(headers.authorization).slice(-2), performance.now()])
    return { json: { id: 5 } }
  }
  const github = await scriptedGitHub(t, { [patch]: note }, { paced: true })
  const write = (installationId: number) =>
    github.host.updateComment({ ...repo, installation_id: installationId }, 5, 'text')
  await Promise.all([write(51), write(51), write(52)])
  const [first, , last] = arrived as [[string, number], [string, number], [string, number]]
  t.same(
    arrived
      .slice(0, 2)
      .map(([installation]) => installation)
      .sort(),
    ['51', '52'],
    'both go at once',
  )
  t.equal(last[0], '51')
  // they are sent a second apart; half of it may pass before a busy machine notes the first
  t.ok(last[1] - first[1] > 500, 'the second of 51 waits')
})
