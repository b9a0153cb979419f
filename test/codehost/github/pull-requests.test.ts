import t from 'tap'
import { paged, pull, pullPath, repo, scriptedGitHub } from './scripted-github.ts'

t.test('open pull requests are listed without the fields that only a single one has', async (t) => {
  const { mergeable: _, mergeable_state: __, changed_files: ___, ...listed } = pull
  const pulls = [3, 4, 5].map((number) => ({ ...listed, number, head: { ...pull.head, repo: null } }))
  const github = await scriptedGitHub(t, { 'GET /repos/octo/infra/pulls': paged(pulls, (page) => page) })
  const open = await github.host.listOpenPullRequests(repo)
  t.same(
    open.map(({ number }) => number),
    [3, 4, 5],
  )
  t.same(open[0], {
    number: 3,
    title: 'A change',
    state: 'open',
    mergedAt: null,
    mergeCommitSha: null,
    draft: false,
    headSha: 'h1',
    headRef: 'feature',
    headRepoId: null,
    baseSha: 'b1',
    baseRef: 'main',
    author: 'ada',
  })
  t.match(Object.fromEntries(github.seen.at(-1)!.query), {
    state: 'open',
    sort: 'created',
    direction: 'asc',
    page: '2',
  })
})

t.test('a list of files that GitHub cut off at 3,000 is no answer; one that ends there is', async (t) => {
  const many = Array.from({ length: 3000 }, (_, at) => ({ filename: `f${at}`, status: 'added' }))
  let changed = 3001
  const github = await scriptedGitHub(t, {
    'GET /repos/octo/infra/pulls/3/files': () => ({ json: many }),
    [pullPath]: () => ({ json: { ...pull, changed_files: changed } }),
  })
  t.equal(await github.host.listPullRequestPaths(repo, 3), undefined)
  changed = 3000
  t.equal((await github.host.listPullRequestPaths(repo, 3))?.length, 3000)
})

t.test('whoever made a commit the tip of a branch last pushed it', async (t) => {
  const github = await scriptedGitHub(t, {
    'GET /repos/octo/infra/activity': () => ({
      json: [
        { after: 'h2', activity_type: 'force_push', actor: { login: 'bob' } },
        { after: 'h1', activity_type: 'push', actor: null },
        { after: 'h2', activity_type: 'branch_creation', actor: { login: 'ada' } },
      ],
    }),
  })
  t.same(await github.host.pusherOf(repo, 'feature/a', 'h2'), { login: 'bob', sha: 'h2' })
  t.same(await github.host.pusherOf(repo, 'feature/a', 'h1'), { login: null, sha: 'h1' }, 'an account that is gone')
  t.equal(await github.host.pusherOf(repo, 'feature/a', 'h3'), undefined, 'not listed')
})

t.test('under what bots pushed, the last person who pushed is found', async (t) => {
  const by = (after: string, login: string, type = 'User') => ({ after, activity_type: 'push', actor: { login, type } })
  const lists = {
    mixed: [by('h4', 'tidy[bot]'), by('h3', 'robot', 'Bot'), by('h2', 'bob'), by('h1', 'ada')],
    bots: [by('h4', 'tidy[bot]'), by('h3', 'robot', 'Bot')],
    many: Array.from({ length: 100 }, (_, at) => by(`h${at}`, 'tidy[bot]')),
  }
  let list: keyof typeof lists = 'mixed'
  const github = await scriptedGitHub(t, { 'GET /repos/octo/infra/activity': () => ({ json: lists[list] }) })
  t.same(await github.host.pusherOf(repo, 'feature/a', 'h4'), { login: 'bob', sha: 'h2' })
  t.same(await github.host.pusherOf(repo, 'feature/a', 'h1'), { login: 'ada', sha: 'h1' }, 'not who pushed later')
  list = 'bots'
  t.same(await github.host.pusherOf(repo, 'feature/a', 'h4'), { login: 'tidy[bot]', sha: 'h4' }, 'nobody else')
  list = 'many'
  t.equal(await github.host.pusherOf(repo, 'feature/a', 'h4'), undefined, 'people may have pushed earlier')
})
