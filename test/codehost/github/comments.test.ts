import t from 'tap'
import { paged, repo, scriptedGitHub } from './scripted-github.ts'

t.test('a reaction is the same new or old, and missing with its comment', async (t) => {
  const github = await scriptedGitHub(t, {
    'POST /repos/octo/infra/issues/comments/77/reactions': (_, times) => ({
      status: times === 1 ? 201 : 200,
      json: { id: 1, content: 'eyes' },
    }),
  })
  t.equal(await github.host.addReaction(repo, 77, 'eyes'), true)
  t.equal(await github.host.addReaction(repo, 77, 'eyes'), true)
  t.same(github.seen[0]?.body, { content: 'eyes' })
  t.equal(await github.host.addReaction(repo, 78, 'rocket'), false)
})

t.test('only the comment of this app that begins with the marker is its own', async (t) => {
  const comment = (id: number, body: string | null, app: number | null) => ({
    id,
    body,
    performed_via_github_app: app && { id: app },
  })
  const github = await scriptedGitHub(t, {
    'GET /repos/octo/infra/issues/3/comments': paged(
      [
        comment(1, '<!-- m -->\nforged by a person', null),
        comment(2, '<!-- m -->\nby another app', 8),
        comment(3, 'quoting <!-- m -->', 7),
        comment(4, '<!-- m -->\nours', 7),
        comment(5, '<!-- m -->\na later one', 7),
        comment(6, null, 7),
      ],
      (page) => page,
    ),
  })
  t.equal(await github.host.findComment(repo, 3, '<!-- m -->'), 4)
  t.equal(github.seen.length, 2, 'the third page is not asked for')
  t.equal(await github.host.findComment(repo, 3, '<!-- other -->', new Date(1e12)), undefined)
  const query = github.seen[2]?.query
  t.equal(query?.get('since'), '2001-09-09T01:46:40.000Z')
  t.equal(query?.get('per_page'), '20', 'a page is short: each may be 65 KB long')
})
