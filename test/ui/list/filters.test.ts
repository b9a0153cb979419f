import t from 'tap'
import { filterWords, isFiltered, wentBy } from '../../../ui/list/filters.ts'
import { hasWords } from '../../../ui/list/has-words.ts'

t.test('a filter that the service does not name is one that it ignored', async (t) => {
  const asked = { repo: 'acme/infra', actor: 'ada', pr: 7, status: undefined }
  t.same(wentBy(asked, { repo: 'acme/infra', pr: '7' }), {
    by: [
      ['repo', 'acme/infra'],
      ['pr', '7'],
    ],
    ignored: ['actor'],
  })
  t.same(wentBy(asked), { by: [], ignored: ['repo', 'actor', 'pr'] }, 'an older service says none')
  t.same(wentBy({}, {}), { by: [], ignored: [] })
})

t.test('filters are said in words', async (t) => {
  const cases = [
    ['status', 'failed', 'status failed'],
    ['status', 'failed,unconfirmed', 'status failed or unconfirmed'],
    ['open', 'true', 'under way'],
    ['pr', '42', 'pull request #42'],
    ['state', 'orphaned, manual', 'state orphaned or manual'],
    ['to', '2026-11-23', 'up to 2026-11-23'],
    ['target', 'a, b', 'target a, b'],
    ['later', 'x', 'later x'],
  ] as const
  for (const [name, value, words] of cases) t.equal(filterWords(name, value), words)
  t.equal(isFiltered({ repo: undefined }), false)
  t.equal(isFiltered({ pr: 1 }), true)
})

t.test('words may come in any order and letter case, and all must be there', async (t) => {
  for (const [q, is] of [
    ['', true],
    ['net plat', true],
    ['PLATFORM', true],
    ['platform vpc', false],
    [undefined, true],
  ] as const) {
    t.equal(hasWords('platform/network', q), is, `${q}`)
  }
})
