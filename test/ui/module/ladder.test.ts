import t from 'tap'
import type { Consumer } from '../../../ui/api/modules.ts'
import { asText, chosenStacks, ladderOf, matrixOf, stepsOf } from '../../../ui/module/ladder.ts'

const consumer = (stack_key: string, ref: string, behind?: number, repo = 'acme/infra'): Consumer => ({
  ...{ stack_id: stack_key, repo, stack_key, ref },
  ...(behind === undefined ? {} : { behind }),
})

const tags = ['net/v2.0.0', 'net/v1.3.0', 'net/v1.2.0', 'net/v1.1.0', 'net/v1.0.0']

const ladder = ladderOf({
  ...{ id: 'm', key: 'acme/mods//net', kind: 'git', latest: 'net/v2.0.0' },
  versions: tags.map((version) => ({ version, sha: 'x' })),
  consumers: [
    consumer('web', 'net/v1.0.0', 4),
    consumer('api', '1.0.0', 4, 'acme/edge'),
    consumer('db', 'net/v2.0.0', 0),
    consumer('old', 'v0.9.0', 5),
    consumer('lab', 'main'),
  ],
})

const keys = (stacks: readonly Consumer[]): string[] => stacks.map(({ stack_key: key }) => key)

t.test(
  'each version has the stacks that ask for it, however they write it; without a version a stack is apart',
  (t) => {
    t.same(
      ladder.rungs.map(({ version, stacks }) => [version, keys(stacks)]),
      [
        ['net/v2.0.0', ['db']],
        ['net/v1.3.0', []],
        ['net/v1.2.0', []],
        ['net/v1.1.0', []],
        ['net/v1.0.0', ['web', 'api']],
        ['v0.9.0', ['old']],
      ],
      'one that no tag names is where its stacks stand',
    )
    t.same(keys(ladder.without), ['lab'])
    t.same(keys(ladder.behind), ['old', 'web', 'api'], 'the furthest first')
    t.end()
  },
)

t.test('three versions or more that nobody asks for are one line, and the newest never is among them', (t) => {
  const words = (rungs: typeof ladder.rungs) =>
    stepsOf(rungs).map((step) => ('nobody' in step ? `${step.nobody.length} idle` : step.version))
  t.same(words(ladder.rungs), ['net/v2.0.0', '3 idle', 'net/v1.0.0', 'v0.9.0'])
  const idle = ladder.rungs.map((rung) => ({ ...rung, stacks: [] }))
  t.same(words(idle), ['net/v2.0.0', '5 idle'])
  t.same(words(idle.slice(0, 3)), ['net/v2.0.0', 'net/v1.3.0', 'net/v1.2.0'])
  t.same(words([]), [])
  t.end()
})

t.test('the matrix counts what each repository has at each version that somebody asks for', (t) => {
  t.same(matrixOf(ladder), {
    versions: ['net/v2.0.0', 'net/v1.0.0', 'v0.9.0'],
    rows: [
      { repo: 'acme/infra', counts: [1, 1, 1], without: 1, total: 4 },
      { repo: 'acme/edge', counts: [0, 1, 0], without: 0, total: 1 },
    ],
  })
  t.end()
})

t.test('stacks are chosen by repository, by version, or both', (t) => {
  const cases: [asked: { repo?: string; at?: string }, keys: string[]][] = [
    [{}, ['old', 'web', 'api', 'db', 'lab']],
    [{ repo: 'acme/edge' }, ['api']],
    [{ at: 'net/v1.0.0' }, ['web', 'api']],
    [{ at: 'net/v1.0.0', repo: 'acme/infra' }, ['web']],
    [{ at: 'none' }, ['lab']],
    [{ at: 'nonsense' }, []],
  ]
  for (const [asked, expected] of cases) t.same(keys(chosenStacks(ladder, asked)), expected, JSON.stringify(asked))
  t.end()
})

t.test('the list to hand out says who asks for what', (t) => {
  t.equal(asText(ladder.behind.slice(0, 1)), 'acme/infra//old asks for v0.9.0, 5 behind')
  t.end()
})
