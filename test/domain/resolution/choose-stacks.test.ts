import t from 'tap'
import type { Edge } from '#domain/graph/graph.ts'
import { chooseStacks } from '#domain/resolution/choose-stacks.ts'
import { finish } from '#domain/steps.ts'

const edge = (from: string, to: string): Edge => ({
  from: { kind: 'stack', key: from },
  to: { kind: 'stack', key: to },
  type: 'depends_on',
})

// app depends on db, and db on net through a stack that this change does not affect
const edges = [edge('app', 'db'), edge('db', 'quiet'), edge('quiet', 'net')]
const stacks = [
  { key: 'net', status: 'planned' },
  { key: 'db', status: 'planned' },
  { key: 'app', status: 'planned' },
  { key: 'dns', status: 'noop' },
]

const tags = new Map([
  ['net', ['base', 'eu']],
  ['db', ['base']],
])

type Case = [about: string, words: string[], applied: string[], choice: object]

const cases: Case[] = [
  ['no word takes all', [], [], { kind: 'chosen', keys: ['net', 'db', 'app', 'dns'] }],
  ['and leaves out what is applied', [], ['net', 'dns'], { kind: 'chosen', keys: ['db', 'app'] }],
  ['all applied', [], ['net', 'db', 'app', 'dns'], { kind: 'applied' }],
  ['a named one that is applied', ['net'], ['net'], { kind: 'applied' }],
  ['one that depends on nothing', ['net'], [], { kind: 'chosen', keys: ['net'] }],
  [
    'one that depends on others, near and far',
    ['app'],
    [],
    { kind: 'left_out', leftOut: [{ key: 'app', needs: ['db', 'net'] }] },
  ],
  ['one whose dependencies are named too', ['app', 'db', 'net'], [], { kind: 'chosen', keys: ['net', 'db', 'app'] }],
  ['one whose dependencies are applied', ['app'], ['db', 'net'], { kind: 'chosen', keys: ['app'] }],
  ['one of them applied', ['app'], ['db'], { kind: 'left_out', leftOut: [{ key: 'app', needs: ['net'] }] }],
  ['a tag', ['tag:base'], [], { kind: 'chosen', keys: ['net', 'db'] }],
  [
    'a tag that no stack has',
    ['tag:none'],
    [],
    { kind: 'unmatched', unmatched: [{ glob: 'tag:none', why: 'is the tag of no stack' }] },
  ],
  [
    'a word that matches none',
    ['nope'],
    [],
    { kind: 'unmatched', unmatched: [{ glob: 'nope', why: 'matches no stack' }] },
  ],
]

t.test('stacks of an apply', async (t) => {
  for (const [about, words, applied, choice] of cases) {
    t.same(finish(chooseStacks({ stacks, applied: new Set(applied), tags }, words, () => edges)), choice, about)
  }
})

t.test('a dependency without changes may be left out; one whose plan failed may not', async (t) => {
  const choose = (status: string) =>
    finish(
      chooseStacks(
        {
          stacks: [
            { key: 'net', status },
            { key: 'db', status: 'planned' },
          ],
          applied: new Set(),
        },
        ['db'],
        () => edges,
      ),
    ).kind
  t.same(['noop', 'planned', 'failed', 'unknown'].map(choose), ['chosen', 'left_out', 'left_out', 'left_out'])
})
