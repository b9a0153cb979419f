import t from 'tap'
import { groupsOf } from '../../../ui/search/hits.ts'

t.test('what was found leads to its page, kind by kind', async (t) => {
  const sha = '913ea50'.padEnd(40, '0')
  const id = '2919a255-0000-4000-8000-000000000001'
  const run = { id, repo: 'acme/infra', sha, created_at: '2026-11-23T10:00:00Z', html_url: 'x' }
  const groups = groupsOf({
    repositories: ['acme/infra'],
    pull_requests: [
      { repo: 'acme/infra', number: 42, title: 'Move it', state: 'open' },
      { repo: 'acme/edge', number: 42, state: 'closed' },
    ],
    runs: [{ ...run, mode: 'apply', status: 'failed', pr_number: 42 }],
    modules: [{ id: 'm', key: 'acme/modules//net', latest: 'v2.0.0' }],
    stacks: [{ id: 's', repo: 'acme/infra', key: 'data/db:eu' }],
  })
  const shown = groups.flatMap(({ heading, hits }) =>
    hits.map(({ name, beside, look, to }) => [heading, name, beside, look?.word, JSON.stringify(to.params)]),
  )
  t.same(shown, [
    ['Stacks', 'data/db:eu', 'acme/infra', undefined, '{"id":"s"}'],
    ['Pull requests', '#42 Move it', 'acme/infra', undefined, '{"owner":"acme","repo":"infra","number":"42"}'],
    ['Pull requests', '#42', 'acme/edge, closed', undefined, '{"owner":"acme","repo":"edge","number":"42"}'],
    ['Runs', 'Apply of #42', 'acme/infra, 2919a255-0000 at 913ea50', 'failed', `{"id":"${id}"}`],
    ['Modules', 'acme/modules//net', 'newest v2.0.0', undefined, '{"id":"m"}'],
    ['Repositories', 'acme/infra', undefined, undefined, '{"owner":"acme","repo":"infra"}'],
  ])
  t.same(groupsOf({}), [])
})
