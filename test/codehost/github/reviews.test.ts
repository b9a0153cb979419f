import t from 'tap'
import { paged, repo, scriptedGitHub } from './scripted-github.ts'

t.test('reviews are listed in full, also those of a bot, of a deleted account and of no commit', async (t) => {
  const reviews = [
    { user: { login: 'ada', type: 'User' }, state: 'APPROVED', commit_id: 'h0', submitted_at: '2026-01-01T00:00:00Z' },
    { user: { login: 'rev[bot]', type: 'Bot' }, state: 'COMMENTED', commit_id: 'h1', submitted_at: null },
    { user: null, state: 'DISMISSED', commit_id: null, submitted_at: '2026-01-02T00:00:00Z' },
    { user: { login: 'bob', type: 'User' }, state: 'PENDING', commit_id: 'h1' },
  ]
  const github = await scriptedGitHub(t, { 'GET /repos/octo/infra/pulls/3/reviews': paged(reviews, (page) => page) })
  t.same(await github.host.listReviews(repo, 3), [
    { login: 'ada', bot: false, state: 'APPROVED', commitId: 'h0', submittedAt: '2026-01-01T00:00:00Z' },
    { login: 'rev[bot]', bot: true, state: 'COMMENTED', commitId: 'h1', submittedAt: null },
    { login: null, bot: false, state: 'DISMISSED', commitId: null, submittedAt: '2026-01-02T00:00:00Z' },
    { login: 'bob', bot: false, state: 'PENDING', commitId: 'h1', submittedAt: null },
  ])
})
