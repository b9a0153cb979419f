import t from 'tap'
import type { StackDetail } from '../../../ui/api/stacks.ts'
import { groupsOf, inShort, sizeOf } from '../../../ui/drift/groups.ts'

type Summary = NonNullable<NonNullable<StackDetail['drift']>['summary']>

const none = { adds: 0, changes: 0, destroys: 0, replaces: 0 }

const stack = (
  key: string,
  summary: Partial<Summary> | undefined,
  since = '2026-11-20T10:00:00.000Z',
): StackDetail => ({
  ...{ id: key, repo: 'acme/infra', key, path: key },
  drift: {
    ...{ run_id: 'r', checked_at: '2026-11-23T10:00:00.000Z', drifted: true, drifted_since: since },
    ...(summary ? { summary: { ...none, ...summary } } : {}),
  },
})

const rule = { changes: 1, changed: ['aws_rule.a'] }

const tables: { name: string; stacks: StackDetail[]; groups: string[] }[] = [
  { name: 'nothing drifted', stacks: [], groups: [] },
  {
    name: 'equal addresses are one group, in whatever order they are told',
    stacks: [
      stack('a', { changes: 2, changed: ['x', 'y'] }),
      stack('b', { changes: 2, changed: ['y', 'x'] }),
      stack('c', { changes: 2, changed: ['x', 'z'] }),
    ],
    groups: ['a b: 2 to change', 'c: 2 to change'],
  },
  {
    name: 'the same address, destroyed or replaced, is another change',
    stacks: [stack('a', { destroys: 1, destroyed: ['x'] }), stack('b', { replaces: 1, replaced: ['x'] })],
    groups: ['a: 1 to destroy', 'b: 1 to replace'],
  },
  {
    name: 'most stacks first, then the longest drifted; so are the stacks of a group',
    stacks: [
      stack('young', { adds: 1, added: ['n'] }, '2026-11-22T10:00:00.000Z'),
      stack('old', { adds: 1, added: ['o'] }, '2026-11-01T10:00:00.000Z'),
      stack('late', rule, '2026-11-22T10:00:00.000Z'),
      stack('early', rule, '2026-11-21T10:00:00.000Z'),
    ],
    groups: ['early late: 1 to change', 'old: 1 to create', 'young: 1 to create'],
  },
  {
    name: 'those whose lists end at other counts are apart',
    stacks: [stack('a', { changes: 3, changed: ['x'] }), stack('b', { changes: 1, changed: ['x'] })],
    groups: ['a: 3 to change', 'b: 1 to change'],
  },
  {
    name: 'what has no address counts too, and a summary that is not there is a group of its own',
    stacks: [stack('a', { output_changes: 1, moves: 2 }), stack('b', undefined), stack('c', {})],
    groups: ['a: 2 moves, 1 output', 'b: Changes that are not kept', 'c: Changes that are not counted'],
  },
]

for (const { name, stacks, groups } of tables) {
  t.test(name, async (t) => {
    const found = groupsOf(stacks)
    t.same(
      found.map((group) => `${group.stacks.map(({ key }) => key).join(' ')}: ${inShort(group)}`),
      groups,
    )
    t.equal(new Set(found.map(({ id }) => id)).size, found.length, 'each has a name of its own')
  })
}

t.test('lines are destroys first, and a group has drifted since its first stack', async (t) => {
  const all = { added: ['d'], changed: ['c'], destroyed: ['b'], replaced: ['a'] }
  const [group] = groupsOf([stack('a', { adds: 1, changes: 3, destroys: 1, replaces: 1, ...all })])
  t.same(
    group?.changes?.lines.map(({ does, address }) => `${does} ${address}`),
    ['destroy b', 'replace a', 'change c', 'add d'],
  )
  t.same(group?.changes?.unlisted, [{ does: 'change', count: 2 }])
  t.equal(group?.since, '2026-11-20T10:00:00.000Z')
})

t.test('how much there is', async (t) => {
  t.equal(sizeOf([stack('a', rule), stack('b', rule)], true), '2 stacks drifted · 1 different change')
  t.equal(sizeOf([], true), '0 stacks drifted')
  t.match(sizeOf([stack('a', rule)], false), /^The first 1 stack that drifted/)
})
