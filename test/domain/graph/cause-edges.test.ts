import t from 'tap'
import { causeEdges } from '#domain/graph/cause-edges.ts'

const between = (stacks: Parameters<typeof causeEdges>[0]): string[] =>
  causeEdges(stacks).map(({ from, to, type }) => `${from.key} ${type} ${to.key}`)

t.test('a stack depends on what made it affected and goes before it', async (t) => {
  t.same(
    between([
      { key: 'net', wave: 0, via: [] },
      { key: 'db', wave: 1, via: ['net'] },
      { key: 'app', wave: 2, via: ['db', 'net', 'acme/infra//modules/app'] },
    ]),
    ['db depends_on net', 'app depends_on db', 'app depends_on net'],
    'stacks of the run, and no modules',
  )
})

t.test('a dependency that the pull request reversed is none', async (t) => {
  const reversed = [
    { key: 'b', wave: 0, via: ['a'] },
    { key: 'a', wave: 1, via: ['b'] },
  ]
  t.same(between(reversed), ['a depends_on b'])
})
