import t from 'tap'
import { defaultConfig, parseRepoConfig } from '#domain/config/config-file.ts'
import type { Membership } from '#domain/gate/facts.ts'
import { teamsThatMay, whyNotIn, whyNotKnown } from '#domain/gate/who-may.ts'

const asked = (team: string, member: boolean | null): Membership => ({ team, login: 'Grace', member })

t.test('who is in one of the teams may, and without teams everybody who may push', async (t) => {
  const cases: [what: string, teams: string[], memberships: Membership[], why: RegExp | undefined][] = [
    ['no team is named', [], [], undefined],
    ['a member', ['acme/sre'], [asked('acme/sre', true)], undefined],
    ['a member of the second', ['acme/sre', 'acme/ops'], [asked('acme/sre', null), asked('acme/ops', true)], undefined],
    [
      'of none',
      ['acme/sre', 'acme/ops'],
      [asked('acme/sre', false), asked('acme/ops', false)],
      /^grace is not in any of the teams that may release locks: acme\/sre, acme\/ops \(unlock\.teams\)$/,
    ],
    [
      'of one, and the other is not known',
      ['acme/sre', 'acme/ops'],
      [asked('acme/sre', false), asked('acme/ops', null)],
      /^the code host does not say whether grace is in acme\/ops, whose members may release locks/,
    ],
    ['nobody was asked', ['acme/sre'], [], /does not say whether grace is in acme\/sre/],
  ]
  for (const [what, teams, memberships, why] of cases) {
    const found = whyNotIn('unlock', 'grace', teams, memberships)
    if (why === undefined) t.equal(found, undefined, what)
    else t.match(found, why, what)
  }
})

t.test("teams are those of the section, in the repository's organisation unless they say another", async (t) => {
  const parsed = parseRepoConfig('{ version: 1, plan: { teams: [a] }, unlock: { teams: [b, Other/c, acme/b] } }')
  if (!parsed.ok) return t.fail(JSON.stringify(parsed.problems))
  t.same(teamsThatMay('plan', parsed.config, 'Acme'), ['acme/a'])
  t.same(teamsThatMay('unlock', parsed.config, 'Acme'), ['acme/b', 'other/c'])
  t.same(teamsThatMay('rerun', parsed.config, 'Acme'), [])
  t.same(teamsThatMay('unlock', defaultConfig, 'acme'), [])
})

t.test('a file that cannot be read refuses, and says where', async (t) => {
  const parsed = parseRepoConfig('version: 1\nunlock:\n  team: [sre]\n')
  if (parsed.ok) return t.fail('the file is read')
  t.match(
    whyNotKnown('rerun', parsed),
    /^svc\.yml of the default branch is invalid in line 3: unlock\.team 'team' is not known here: did you mean 'teams'\?, so who may run a plan again is not known: an administrator of the repository may, or correct the file$/,
  )
})
