import t from 'tap'
import type { PullFacts } from '#domain/gate/evaluate-gate.ts'
import { gateLookups } from '#domain/gate/gate-lookups.ts'
import { facts, OLD, owners, owning, policy, pulled, review, said, table } from './gate-facts.ts'

/* The layers that depend on who: permission, approval, base, code_owners, four_eyes. The others are in evaluate-gate.test.ts. */

t.test('permission', async (t) => {
  const asks = (requester: string, memberships = facts().memberships) => facts({ requester, memberships })
  const member = (team: string, isIn: boolean | null) => ({ team, login: 'rob', member: isIn })
  table(t, 'permission', [
    ['push permission and a team', facts(), 'pass'],
    ['letter case of logins does not matter', asks('ROB'), 'pass'],
    ['one team of several suffices', asks('rob', [member('acme/sre', null), member('Partner/Ops', true)]), 'pass'],
    ['no team is required', { ...asks('olga'), policy: policy({ teams: [] }) }, 'pass'],
    [
      'an administrator is not a member',
      asks('ann', [{ team: 'acme/sre', login: 'ann', member: false }]),
      'unknown: teams',
    ],
    [
      'in no team',
      asks('rob', [member('acme/sre', false), member('partner/ops', false)]),
      'fail: teams',
      /acme\/sre, partner\/ops/,
    ],
    [
      'a membership that cannot be read',
      asks('rob', [member('acme/sre', false), member('partner/ops', null)]),
      'unknown: teams',
    ],
    ['read only, and in no team that is known', asks('reader'), 'fail: push teams', /only read permission/],
    ['a permission that cannot be read', asks('stranger', []), 'unknown: push teams'],
    ['a name that every object has', asks('constructor', []), 'unknown: push teams'],
    ['nobody', { ...facts(), requester: undefined } as unknown as PullFacts, 'unknown: requester'],
  ])
})

t.test('approval', async (t) => {
  const reviewed = (...reviews: PullFacts['reviews']) => facts({ reviews })
  const approved = review('olga', 'APPROVED')
  table(t, 'approval', [
    ['an approval of the head', facts(), 'pass'],
    ['states are read in any letter case', reviewed(review('olga', 'approved')), 'pass'],
    ['a later comment takes nothing back', reviewed(approved, review('olga', 'COMMENTED')), 'pass'],
    [
      'changes requested by somebody else do not undo it',
      reviewed(approved, review('rob', 'CHANGES_REQUESTED')),
      'pass',
    ],
    ['approved after requesting changes', reviewed(review('olga', 'CHANGES_REQUESTED'), approved), 'pass'],
    ['none', reviewed(), 'fail: approvals', /^0 of 1 needed approval of the head commit beef001\. Ask somebody/],
    ['by the author', reviewed(review('Ann', 'APPROVED')), 'fail: approvals', /Ann is the author/],
    ['of an older commit', reviewed({ ...approved, commitId: OLD }), 'fail: approvals', /older commit 0dd5ff1/],
    ['of a commit that is gone', reviewed({ ...approved, commitId: null }), 'fail: approvals', /is gone/],
    ['dismissed', reviewed(review('olga', 'DISMISSED')), 'fail: approvals', /dismissed/],
    ['dismissed after an approval', reviewed(approved, review('olga', 'DISMISSED')), 'fail: approvals'],
    [
      'changes requested afterwards',
      reviewed(approved, review('OLGA', 'CHANGES_REQUESTED')),
      'fail: approvals',
      /requested changes/,
    ],
    [
      'changes requested afterwards, listed in any order',
      reviewed(review('olga', 'CHANGES_REQUESTED', { submittedAt: '2026-01-02T00:00:00Z' }), {
        ...approved,
        submittedAt: '2026-01-01T00:00:00Z',
      }),
      'fail: approvals',
    ],
    ['pending', reviewed(review('olga', 'PENDING')), 'fail: approvals'],
    ['by a bot', reviewed(review('renovate', 'APPROVED', { bot: true })), 'fail: approvals', /is a bot/],
    ['by a bot that is listed as a user', reviewed(review('x[bot]', 'APPROVED')), 'fail: approvals', /is a bot/],
    ['without push permission', reviewed(review('reader', 'APPROVED')), 'fail: approvals', /no push permission/],
    ['by somebody whose permission cannot be read', reviewed(review('stranger', 'APPROVED')), 'unknown: approvals'],
    ['by an account that is gone', reviewed(review(null, 'APPROVED')), 'fail: approvals'],
    [
      'twice by one person',
      { ...reviewed(approved, approved), policy: policy({ approvals: 2 }) },
      'fail: approvals',
      /^1 of 2/,
    ],
    ['by two', { ...reviewed(approved, review('rob', 'APPROVED')), policy: policy({ approvals: 2 }) }, 'pass'],
    ['not asked for', { ...reviewed(), policy: policy({ approvals: 0 }) }, 'off'],
  ])
})

t.test('code_owners', async (t) => {
  const owned = (...lines: string[]) => facts({ codeOwners: owners(...lines) })
  const at = (line: number) => `.github/CODEOWNERS:${line}`
  table(t, 'code_owners', [
    ['an owner of every changed path', facts(), 'pass'],
    ['paths that no line names need no approval', owned('/other/ @nobody'), 'pass'],
    ['any one owner suffices', owned('* @nobody a@example.com @OLGA'), 'pass'],
    [
      'a user who did not approve',
      owned('* @olga', '/db/ @rob'),
      `fail: ${at(2)}`,
      /\(\/db\/: @rob\) approved beef001 with the changed path db\/main.tf\. Ask one of @rob/,
    ],
    [
      'each line is named',
      owned('* @x', '/db/ @y'),
      `fail: ${at(1)} ${at(2)}`,
      /2 changed paths \(README.md, app\/main.tf\)/,
    ],
    ['the author is an owner', { ...owned('* @ann'), reviews: [review('ann', 'APPROVED')] }, `fail: ${at(1)}`],
    [
      'approved an older commit',
      { ...facts(), reviews: [review('olga', 'APPROVED', { commitId: OLD })] },
      `fail: ${at(1)} ${at(2)}`,
    ],
    [
      'a team without the approver',
      { ...facts(), memberships: [{ team: 'acme/owners', login: 'olga', member: false }] },
      `fail: ${at(1)}`,
    ],
    [
      'a team whose members cannot be read',
      { ...facts(), memberships: [] },
      `unknown: ${at(1)}`,
      /whether @acme\/owners did is not known/,
    ],
    ['e-mail addresses only', owned('* a@example.com'), `unknown: ${at(1)}`, /Name users or teams/],
    ['an invalid line keeps its paths', owned('* @olga', '[d]b/ @olga'), `unknown: ${at(2)}`, /character ranges/],
    ['an invalid line of other paths', owned('* @olga', '[x]/ @olga'), 'pass'],
    [
      'on another base',
      pulled({ baseRef: 'mine' }),
      'unknown: base',
      /goes into mine, .*Change its base to the default branch/,
    ],
    ['no file', facts({ codeOwners: null }), 'fail: CODEOWNERS', /no CODEOWNERS file/],
    ['changed paths are not known', facts({ changedPaths: null }), 'unknown: changed_paths', /3,000/],
    ['nothing changed', facts(owning([], '* @olga')), 'pass'],
    ['not asked for', { ...facts({ codeOwners: null }), policy: policy({ code_owners: false }) }, 'off'],
  ])
})

t.test('four_eyes', async (t) => {
  table(t, 'four_eyes', [
    ['somebody other than the author', facts(), 'pass'],
    ['the author', facts({ requester: 'ann' }), 'fail: four_eyes', /Somebody else/],
    ['the author in different letter case', facts({ requester: 'ANN' }), 'fail: four_eyes'],
    ['not asked for', facts({ requester: 'ann', policy: policy({ four_eyes: false }) }), 'off'],
    ['who pushed the head', pushedBy('Rob'), 'fail: four_eyes', /^rob pushed beef001 and may not/],
    [
      'who pushed what a bot pushed upon',
      facts({ pusher: { login: 'rob', sha: 'cafe002' } }),
      'fail: four_eyes',
      /^rob pushed cafe002 and may not/,
    ],
    ['who pushed the head, as the policy allows', pushedBy('rob', { last_push: false }), 'pass'],
    ['the author, whoever pushed', facts({ requester: 'ann', pusher: null }), 'fail: four_eyes'],
    ['pushed by an account that is gone', pushedBy(null), 'pass'],
    ['it is not known who pushed', facts({ pusher: null }), 'unknown: four_eyes', /could not be read/],
    ['nor asked', facts({ pusher: null, policy: policy({ last_push: false }) }), 'pass'],
  ])
})

t.test('last_push: who pushed the head does not count as its reviewer', async (t) => {
  const without = { four_eyes: false, code_owners: false }
  table(t, 'approval', [
    ['with four_eyes it is on', pushedBy('Olga'), 'fail: approvals', /not counted: olga pushed beef001/],
    ['without, it is off', pushedBy('olga', without), 'pass'],
    ['asked for', pushedBy('olga', { ...without, last_push: true }), 'fail: approvals'],
    ['waived', pushedBy('olga', { last_push: false }), 'pass'],
    ['somebody else pushed', pushedBy('rob', { ...without, last_push: true }), 'pass'],
    ['an account that is gone pushed', pushedBy(null), 'pass'],
    ['it is not known who', facts({ pusher: null }), 'unknown: approvals', /whether olga pushed the head could not be/],
  ])
  t.equal(said(pushedBy('olga'), 'code_owners'), 'fail: .github/CODEOWNERS:1 .github/CODEOWNERS:2')
  t.notOk(gateLookups(pushedBy('olga')).permissions.includes('olga'), 'whose permission is not asked for')
})

const pushedBy = (login: string | null, apply: Record<string, unknown> = {}): PullFacts =>
  facts({ pusher: { login, sha: 'beef001' }, policy: policy(apply) })

t.test('base', async (t) => {
  const into = (baseRef: string, base_branches?: string[]) => ({
    ...pulled({ baseRef }),
    policy: policy(base_branches === undefined ? {} : { base_branches }),
  })
  table(t, 'base', [
    ['the default branch', facts(), 'pass'],
    ['another', into('mine'), 'fail: base', /goes into mine, and is applied only into the default branch main\./],
    ['one that is named', into('release/2', ['main', 'release/*']), 'pass'],
    ['one below it', into('release/2/mine', ['main', 'release/*']), 'fail: base', /\(main, release\/\*\)/],
    ['the default branch, which is not named', into('main', ['release/**']), 'fail: base'],
  ])
})
