import { execFileSync } from 'node:child_process'
import t from 'tap'
import { type Ask, asInstallation, hubFor } from '../hub.ts'

/* Pull requests on real git: what REST says about them, and what git says about the same. */

const files = { 'a/main.tf': 'one\ntwo\nthree\n', 'b/main.tf': 'b\n'.repeat(20), 'c.tf': 'c\n' }

const prepare = async (t: Parameters<typeof hubFor>[0], options = {}) => {
  const hub = await hubFor(t, options)
  const { id } = hub.createInstallation({ account: 'acme', type: 'Organization' })
  const repository = await hub.createRepository({ owner: 'acme', name: 'infra', files })
  const open = (branch: string, changes: Record<string, string | null>) =>
    hub.openPullRequest({ repo: 'acme/infra', branch, title: branch, author: 'ann', changes })
  return { hub, repository, open, app: await asInstallation(hub, id) }
}

const show = async (app: Ask, number: number) =>
  (await app('GET', `/repos/acme/infra/pulls/${number}`)).body as { mergeable: unknown; merge_commit_sha: string }

t.test('files: added, removed, modified, renamed with the old name', async (t) => {
  const { app, open } = await prepare(t)
  const pull = await open('f', {
    'a/main.tf': 'one\n2\nthree\n',
    'b/main.tf': null,
    'moved to/b.tf': 'b\n'.repeat(20),
    'c.tf': null,
    'é "new".tf': 'n\n',
  })
  const { body } = await app('GET', `/repos/acme/infra/pulls/${pull.number}/files`)
  t.match(body, [
    { filename: 'a/main.tf', status: 'modified', additions: 1, deletions: 1 },
    { filename: 'c.tf', status: 'removed', deletions: 1 },
    { filename: 'moved to/b.tf', status: 'renamed', previous_filename: 'b/main.tf', changes: 0 },
    { filename: 'é "new".tf', status: 'added', additions: 1 },
  ])
  t.match(await show(app, pull.number), { changed_files: 4, additions: 2, deletions: 2, commits: 1 })
})

t.test('files are compared with where the branch left, whatever the base got since', async (t) => {
  const { app, open, repository } = await prepare(t)
  const pull = await open('f', { 'a/main.tf': 'changed\n' })
  await repository.push({ changes: { 'later.tf': 'x\n' } })
  const { body } = await app('GET', `/repos/acme/infra/pulls/${pull.number}/files`)
  t.strictSame(
    (body as { filename: string }[]).map(({ filename }) => filename),
    ['a/main.tf'],
  )
})

t.test('files come in pages of a hundred at most', async (t) => {
  const { app, open } = await prepare(t)
  const pull = await open('f', Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`n/${at}.tf`, 'x\n'])))
  const first = await app('GET', `/repos/acme/infra/pulls/${pull.number}/files?per_page=100`)
  const second = await app('GET', `/repos/acme/infra/pulls/${pull.number}/files?per_page=100&page=2`)
  t.equal((first.body as unknown[]).length, 100)
  t.match(first.headers.get('link'), /page=2.*rel="next"/)
  t.equal((second.body as unknown[]).length, 30)
})

t.test('mergeable follows the base: true, then false once the two conflict', async (t) => {
  const { app, open, repository } = await prepare(t)
  const pull = await open('f', { 'a/main.tf': 'mine\n' })
  t.match(await show(app, pull.number), { mergeable: true, mergeable_state: 'clean', state: 'open', merged: false })
  await repository.push({ changes: { 'a/main.tf': 'theirs\n' } })
  t.match(await show(app, pull.number), { mergeable: false, mergeable_state: 'dirty' })
  await t.rejects(pull.merge(), /conflicts with main/)
  t.equal(pull.now().state, 'open')
})

t.test('an unfinished or failed check makes it unstable', async (t) => {
  const { app, open } = await prepare(t)
  const pull = await open('f', { 'a/main.tf': 'mine\n' })
  const check = { name: 'svc/plan', head_sha: pull.headSha(), output: { title: 't', summary: 's' } }
  await app('POST', '/repos/acme/infra/check-runs', { ...check, status: 'in_progress' })
  t.match(await show(app, pull.number), { mergeable: true, mergeable_state: 'unstable' })
  await app('POST', '/repos/acme/infra/check-runs', { ...check, conclusion: 'success' })
  t.match(await show(app, pull.number), { mergeable_state: 'clean' }, 'the latest of a name counts')
})

t.test('mergeable is null as often as configured, and again after each push', async (t) => {
  const { app, open } = await prepare(t, { unknownMergeableAnswers: 2 })
  const pull = await open('f', { 'a/main.tf': 'mine\n' })
  const seen: unknown[] = []
  for (const _ of [1, 2, 3]) seen.push((await show(app, pull.number)).mergeable)
  await pull.push({ 'a/main.tf': 'mine again\n' })
  seen.push((await show(app, pull.number)).mergeable)
  t.strictSame(seen, [null, null, true, null])
})

t.test('a merge is a real merge commit of the default branch', async (t) => {
  const { app, open, repository } = await prepare(t)
  const pull = await open('f', { 'a/main.tf': 'mine\n' })
  const base = await repository.head()
  const merge = await pull.merge('bob')
  t.equal(await repository.head(), merge)
  const parents = execFileSync('git', ['-C', repository.gitDir, 'show', '--no-patch', '--format=%P', merge])
  t.equal(parents.toString().trim(), `${base} ${pull.headSha()}`)
  t.match(await show(app, pull.number), {
    state: 'closed',
    merged: true,
    merge_commit_sha: merge,
    merged_by: { login: 'bob' },
    base: { sha: base },
    changed_files: 1,
  })
  await t.rejects(pull.merge(), /closed already/)
})

t.test('a merge is visible at once: no reader sees the pull request closed and not merged meanwhile', async (t) => {
  const { open } = await prepare(t)
  const pull = await open('f', { 'a/main.tf': 'mine\n' })
  const seen = new Set<string>()
  const look = (): void => {
    const { state, mergedAt } = pull.now()
    seen.add(`${state}, ${mergedAt ? 'merged' : 'not merged'}`)
  }
  const looking = setInterval(look, 0)
  await pull.merge('bob')
  clearInterval(looking)
  look()
  t.strictSame([...seen], ['open, not merged', 'closed, merged'])
})

t.test('the test merge is at refs/pull/N/merge, the head at refs/pull/N/head', async (t) => {
  const { app, open, repository } = await prepare(t)
  const pull = await open('f', { 'a/main.tf': 'mine\n' })
  const ref = async (name: string) =>
    ((await app('GET', `/repos/acme/infra/git/ref/${name}`)).body as { object: { sha: string } }).object.sha
  t.equal(await ref(`pull/${pull.number}/head`), pull.headSha())
  const merge = (await show(app, pull.number)).merge_commit_sha
  t.equal(await ref(`pull/${pull.number}/merge`), merge)
  const text = execFileSync('git', ['-C', repository.gitDir, 'show', `${merge}:a/main.tf`])
  t.equal(text.toString(), 'mine\n')
})

t.test('listings filter by state, head and base', async (t) => {
  const { app, open } = await prepare(t)
  const first = await open('first', { 'a/main.tf': '1\n' })
  await open('second', { 'c.tf': '2\n' })
  await first.close()
  const numbers = async (query: string) =>
    ((await app('GET', `/repos/acme/infra/pulls${query}`)).body as { number: number }[]).map(({ number }) => number)
  t.strictSame(await numbers(''), [2])
  t.strictSame(await numbers('?state=all'), [2, 1])
  t.strictSame(await numbers('?state=closed'), [1])
  t.strictSame(await numbers('?state=all&head=acme:first'), [1])
  t.strictSame(await numbers('?base=other'), [])
  await first.reopen()
  t.strictSame(await numbers('?direction=asc'), [1, 2])
})

t.test('contents at a branch, a sha and by default; raw, or base64 in lines', async (t) => {
  const { app, open } = await prepare(t)
  const pull = await open('change/x', { 'a/main.tf': 'mine\n' })
  const raw = async (path: string) =>
    (await app('GET', `/repos/acme/infra/contents/${path}`, undefined, { accept: 'application/vnd.github.raw+json' }))
      .text
  t.equal(await raw('a/main.tf'), files['a/main.tf'])
  t.equal(await raw('a%2Fmain.tf'), files['a/main.tf'], 'as Octokit encodes paths')
  t.equal(await raw('a/main.tf?ref=change/x'), 'mine\n')
  t.equal(await raw(`a/main.tf?ref=${pull.headSha()}`), 'mine\n')
  const { body } = await app('GET', '/repos/acme/infra/contents/b/main.tf')
  const { content, encoding, size } = body as { content: string; encoding: string; size: number }
  t.equal(encoding, 'base64')
  t.equal(size, files['b/main.tf'].length)
  t.equal(Buffer.from(content, 'base64').toString(), files['b/main.tf'])
  t.ok(content.split('\n').every((line) => line.length <= 60))
})

t.test('a tree at a branch, a commit and itself; recursive on request', async (t) => {
  const { app, open } = await prepare(t)
  const pull = await open('change/x', { 'a/b/new.tf': 'new\n', 'c.tf': null })
  type Tree = { sha: string; truncated: boolean; tree: { path: string; type: string; size?: number }[] }
  const show = async (path: string) => (await app('GET', `/repos/acme/infra/git/trees/${path}`)).body as Tree
  const paths = async (path: string) => (await show(path)).tree.map((entry) => `${entry.type} ${entry.path}`)
  t.strictSame(await paths('main'), ['tree a', 'tree b', 'blob c.tf'])
  const whole = ['tree a', 'tree a/b', 'blob a/b/new.tf', 'blob a/main.tf', 'tree b', 'blob b/main.tf']
  t.strictSame(await paths('change%2Fx?recursive=0'), whole, 'any value asks for all')
  const { sha, tree, truncated } = await show(`${pull.headSha()}?recursive=1`)
  t.strictSame(await paths(`${sha}?recursive=1`), whole)
  t.equal(tree.find(({ path }) => path === 'a/b/new.tf')?.size, 4)
  t.equal(truncated, false)
})

t.test('contents above 1 MB are sent raw only', async (t) => {
  const { app, repository } = await prepare(t)
  await repository.push({ changes: { 'big.txt': 'x'.repeat((1 << 20) + 1) } })
  const path = '/repos/acme/infra/contents/big.txt'
  t.equal((await app('GET', path)).status, 403)
  const raw = await app('GET', path, undefined, { accept: 'application/vnd.github.raw+json' })
  t.equal(raw.text.length, (1 << 20) + 1)
})

t.test('refs are names: git’s own expressions and options do not pass', async (t) => {
  const { app } = await prepare(t)
  for (const ref of ['main~1', 'main^', 'main@{0}', '--all', 'main..main', ':/Initial']) {
    t.equal((await app('GET', `/repos/acme/infra/contents/c.tf?ref=${encodeURIComponent(ref)}`)).status, 404, ref)
  }
})
