import t from 'tap'
import type { Could, GateFailure } from '#domain/gate/verdict.ts'
import { whoCould, whoCouldText } from '#domain/gate/who-could.ts'

const failure = (could?: Could): GateFailure => ({
  layer: 'approval',
  name: 'x',
  reason: 'x.',
  stacks: [],
  ...(could && { could }),
})
const anybody = (people: number): Could => ({ act: 'approve', people, logins: [], teams: [] })
const oneOf = (...names: string[]): Could => ({
  ...{ act: 'approve', people: 1 },
  logins: names.filter((name) => !name.includes('/')),
  teams: names.filter((name) => name.includes('/')),
})
const asking = (...teams: string[]): Could => ({ act: 'ask', people: 1, logins: [], teams })

const said = (...all: (Could | undefined)[]): string | undefined => {
  const could = whoCould(all.map(failure))
  return could && whoCouldText(could)
}

t.test('the fewest people who could let it through', async (t) => {
  const cases: [about: string, all: (Could | undefined)[], says: string | undefined][] = [
    ['nobody could', [undefined], undefined],
    ['anybody', [anybody(1)], 'approved by 1 with push permission'],
    ['two for one rule are two for all', [anybody(1), anybody(2)], 'approved by 2 with push permission'],
    ['a member, who counts for both', [anybody(1), oneOf('acme/dba')], 'approved by a member of acme/dba'],
    [
      'and one more',
      [anybody(2), oneOf('acme/dba')],
      'approved by a member of acme/dba and 1 more with push permission',
    ],
    ['one for two lists', [oneOf('acme/a', 'acme/b'), oneOf('acme/b', 'acme/c')], 'approved by a member of acme/b'],
    ['who is known before a team', [oneOf('dora', 'acme/dba')], 'approved by dora'],
    [
      'one person for three lists',
      [oneOf('dora', 'acme/a'), oneOf('dora', 'acme/b'), oneOf('Dora')],
      'approved by dora',
    ],
    [
      'two where greed would take three',
      [oneOf('a', 'x'), oneOf('a', 'y'), oneOf('b', 'x'), oneOf('b', 'y'), oneOf('a', 'z'), oneOf('b', 'z')],
      'approved by a and b',
    ],
    ['asked for by somebody else', [asking()], 'asked for by somebody else'],
    [
      'who is in both',
      [asking('acme/a'), asking('acme/b'), anybody(1)],
      'approved by 1 with push permission; asked for by a member of acme/a and acme/b',
    ],
  ]
  for (const [about, all, says] of cases) t.equal(said(...all), says, about)
})

t.test('of many lists too, somebody of each', async (t) => {
  const lists = Array.from({ length: 40 }, (_, i) => oneOf(`acme/t${i}`, `acme/u${i % 3}`))
  t.equal(said(...lists), 'approved by a member of acme/u0, a member of acme/u1 and a member of acme/u2')
})
