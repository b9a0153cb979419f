import t from 'tap'
import { evaluateGate, type PullFacts } from '#domain/gate/evaluate-gate.ts'
import { gateLookups } from '#domain/gate/gate-lookups.ts'
import { facts, HEAD, OLD, plan, review, stack } from '../gate-facts.ts'
import { asked, none, type RuleText, refusals, ruled, summary } from './ruled.ts'

/* Which stacks take a rule, and what each thing that a rule may ask for means for them. */

const twoOf = (...stacks: string[]) => [`approval approvals apply.rules[0]: ${stacks.join(' ')}`]

t.test('which stacks take a rule', async (t) => {
  const cases: [about: string, selector: RuleText, stacks: string[]][] = [
    ['all, without a selector', {}, ['dev/app', 'prod/app', 'prod/db']],
    ['by directory', { match: 'prod/**' }, ['prod/app', 'prod/db']],
    ['as a path from here', { match: ['./prod/db', './dev/*'] }, ['dev/app', 'prod/db']],
    ['by all that is below', { match: 'prod/' }, ['prod/app', 'prod/db']],
    ['by a glob of any directory', { match: ['{prod,stage}/d?', '**/nowhere'] }, ['prod/db']],
    ['by one of several', { match: ['dev/app', '*/db'] }, ['dev/app', 'prod/db']],
    ['by environment', { environment: 'production' }, ['prod/app', 'prod/db']],
    ['in any letter case, as at the code host', { environment: 'Production' }, ['prod/app', 'prod/db']],
    ['by the environment of who has none', { environment: ['default', 'eu'] }, ['dev/app']],
    ['by tag', { tag: ['critical', 'network'] }, ['prod/db']],
    ['by all that it names', { match: '**/app', environment: 'production' }, ['prod/app']],
    ['by nothing that there is', { match: 'stage/**' }, []],
  ]
  for (const [about, selector, stacks] of cases)
    t.same(refusals(asked(ruled([{ ...selector, approvals: 2 }]))), stacks.length === 0 ? [] : twoOf(...stacks), about)
  const only = asked(ruled([{ environment: 'production', approvals: 2 }]), { stacks: ['dev/app'] })
  t.same(refusals(only), [], 'and only those of the apply')
})

t.test('a stack is what its key says, and what its row says', async (t) => {
  const named = (path: string, key: string, instance?: string) =>
    asked(ruled([{ match: 'prod/**', approvals: 1 }]), {
      plan: plan({ stacks: [{ ...stack(key, { checks: [], path }), ...(instance && { instance }) }] }),
    })
  t.same(refusals(named('dev', 'prod/db')).length, 1, 'its key is what is applied')
  t.same(refusals(named('prod/db', 'dev')).length, 1, 'its path gives its environment')
  t.same(refusals(named('prod/db', 'prod/db:eu', 'eu')).length, 1)
  t.same(refusals(named('dev', 'dev:eu', 'eu')), [])
  const byKey = asked(ruled([{ match: 'dev:eu', approvals: 1 }]), {
    plan: plan({ stacks: [stack('dev:eu', { checks: [], path: 'dev', instance: 'eu' })] }),
  })
  t.same(refusals(byKey), ['approval approvals apply.rules[0]: dev:eu'], 'a glob may be of keys')
})

t.test('when: what a plan does', async (t) => {
  const of = (what: Parameters<typeof summary>[0] | undefined, when: RuleText) =>
    refusals(
      asked(ruled([{ when, approvals: 1 }]), {
        plan: plan({ stacks: [stack('a', { checks: [], ...(what && { summary: summary(what) }) })] }),
      }),
    ).length === 1
  const cases: [about: string, what: Parameters<typeof summary>[0] | undefined, when: RuleText, holds: boolean][] = [
    ['it destroys nothing', {}, { destroys: '>0' }, false],
    ['it destroys something', { destroys: 1, destroyed: ['a.b'] }, { destroys: '>0' }, true],
    ['as many', { changes: 5, changed: ['a', 'b', 'c', 'd', 'e'] }, { changes: 5 }, true],
    ['more than as many', { changes: 5, changed: ['a', 'b', 'c', 'd', 'e'] }, { changes: '>5' }, false],
    ['it replaces', { replaces: 1, replaced: ['a.b'] }, { replaces: '>0' }, true],
    ['outputs', { output_changes: 2 }, { outputs: '>0' }, true],
    ['no outputs', {}, { outputs: '>0' }, false],
    ['all of it', { destroys: 1, destroyed: ['a.b'] }, { destroys: '>0', replaces: '>0' }, false],
    ['a resource', { adds: 1, added: ['aws_iam_role.x'] }, { resources: ['aws_iam_*'] }, true],
    [
      'one in a module',
      { changes: 1, changed: ['module.a["x.y"].module.b.aws_iam_role.x'] },
      { resources: ['aws_iam_role.x'] },
      true,
    ],
    ['another resource', { adds: 1, added: ['aws_s3_bucket.aws_iam_x'] }, { resources: ['aws_iam_*'] }, false],
    [
      'one that is kept until it is destroyed',
      { destroys: 1, destroyed: ['a.b (deposed 0a1b)'] },
      { resources: ['a.b'] },
      true,
    ],
    ['an index means itself', { adds: 1, added: ['a.b[0]'] }, { resources: ['a.b[0]'] }, true],
    ['no summary', undefined, { destroys: 100, resources: ['x'] }, true],
    ['a list that was cut', { adds: 501, added: ['a.b'] }, { resources: ['x.y'] }, true],
    ['a list that is missing', { changes: 1 }, { resources: ['x.y'] }, true],
    ['a count below its list', { destroyed: ['a.b'] }, { destroys: '>0' }, true],
    ['a resource, and it destroys nothing', { adds: 1, added: ['x.y'] }, { resources: ['x.y'], destroys: '>0' }, false],
  ]
  for (const [about, what, when, holds] of cases) t.equal(of(what, when), holds, about)
})

t.test('of each requirement the strictest holds', async (t) => {
  const rules = [
    { match: 'prod/**', approvals: 1 },
    { match: '**', approvals: 0 },
    { tag: 'critical', approvals: 3, name: 'db' },
  ]
  const given = asked(ruled(rules, { approvals: 1 }))
  t.same(
    refusals(given),
    ['approval approvals:', 'approval approvals apply.rules[2]: prod/db'],
    'two ask for one: the first is named',
  )
  const { failures } = evaluateGate(given)
  t.match(failures[1], {
    reason:
      /^0 of 3 needed approvals of the head commit beef001 \(apply\.rules\[2\]\.approvals of the rule db\)\. Ask somebody/,
    rule: { place: 'apply.rules[2]', name: 'db' },
    could: { act: 'approve', people: 3 },
  })
  t.same(refusals({ ...given, reviews: [review('olga', 'APPROVED')] }), ['approval approvals apply.rules[2]: prod/db'])
})

t.test('mode: who may apply what how', async (t) => {
  const rules = [
    { match: 'prod/**', mode: 'on_merge' },
    { tag: 'critical', mode: 'off' },
  ]
  t.same(refusals(asked(ruled(rules))), ['mode on_merge apply.rules[0]: prod/app', 'mode off apply.rules[1]: prod/db'])
  t.same(refusals(asked(ruled(rules), { how: 'on_merge' })), ['mode off apply.rules[1]: prod/db'])
  t.same(refusals(asked(ruled([{ mode: 'comment' }], { mode: 'off' }))), ['mode off:'], 'a rule loosens nothing')
})

t.test('teams: the person who asks is in one of each list', async (t) => {
  const rules = [
    { match: 'prod/**', teams: ['sre', 'platform'] },
    { tag: 'critical', teams: ['dba'] },
  ]
  const members = (...teams: string[]) =>
    ['sre', 'platform', 'dba', 'all'].map((slug) => ({
      team: `acme/${slug}`,
      login: 'rob',
      member: teams.includes(slug),
    }))
  const as = (...teams: string[]) =>
    refusals(asked(ruled(rules, { teams: ['all'] }), { memberships: members(...teams) }))
  t.same(as('all', 'platform', 'dba'), [])
  t.same(as('platform'), ['permission teams:', 'permission teams apply.rules[1]: prod/db'])
  t.same(as('all', 'dba'), ['permission teams apply.rules[0]: prod/app prod/db'])
  const unread = asked(ruled(rules), { memberships: [] })
  t.match(
    evaluateGate(unread).layers.find(({ layer }) => layer === 'permission'),
    { verdict: 'unknown' },
    'a membership that could not be read is none',
  )
})

t.test('approve_teams: a member approved the head commit', async (t) => {
  const config = ruled([{ name: 'databases', tag: 'critical', approve_teams: ['dba', 'leads'] }])
  const dora = { team: 'acme/dba', login: 'dora', member: true }
  const outside = ['dba', 'leads'].map((slug) => ({ team: `acme/${slug}`, login: 'olga', member: false }))
  const permissions: PullFacts['permissions'] = [...facts().permissions, { login: 'dora', permission: 'write' }]
  const given = (more: Partial<PullFacts>) => asked(config, { permissions, memberships: [dora, ...outside], ...more })
  const approved = (login: string, more = {}) => given({ reviews: [review(login, 'APPROVED', more)] })
  t.same(refusals(approved('dora')), [])
  const wrong = ['approval approve_teams apply.rules[0]: prod/db']
  t.same(refusals(given({})), wrong)
  t.same(refusals(approved('olga')), wrong, 'somebody else')
  t.same(refusals(approved('dora', { commitId: OLD })), wrong, 'another commit')
  t.same(refusals({ ...approved('dora'), memberships: [] }), wrong, 'a membership that could not be read')
  t.same(
    refusals({ ...approved('dora'), permissions: facts().permissions }),
    wrong,
    'a permission that could not be read',
  )
  t.match(evaluateGate(given({})).failures[0], {
    reason:
      'No member of acme/dba, acme/leads approved beef001 (apply.rules[0].approve_teams of the rule databases). Ask a member of acme/dba, acme/leads other than the author to approve beef001.',
    could: { act: 'approve', people: 1, logins: ['dora'], teams: ['acme/dba', 'acme/leads'] },
  })
})

t.test('protect: what is destroyed or replaced needs the approval of who may let it go', async (t) => {
  const config = ruled([{ name: 'data', protect: ['aws_db_instance.*'], approve_teams: ['dba'] }])
  const doing = (what: Parameters<typeof summary>[0] | undefined, more: Partial<PullFacts> = {}) =>
    asked(config, {
      plan: plan({ stacks: [stack('prod/db', { checks: [], ...(what && { summary: summary(what) }) })] }),
      ...more,
    })
  const lost = { destroys: 1, destroyed: ['module.db.aws_db_instance.main'] }
  const refused = ['protect protected apply.rules[0]: prod/db']
  t.same(refusals(doing({ adds: 1, added: ['aws_db_instance.main'] })), [], 'added')
  t.same(refusals(doing({ changes: 1, changed: ['aws_db_instance.main'] })), [], 'changed')
  t.same(refusals(doing({ destroys: 1, destroyed: ['aws_s3_bucket.x'] })), [], 'something else')
  t.same(refusals(doing(lost)), refused)
  t.same(refusals(doing({ replaces: 1, replaced: ['aws_db_instance.main'] })), refused)
  t.same(refusals(doing({ destroys: 600, destroyed: ['a.b'] })), refused, 'a list that was cut')
  t.same(refusals(doing({ replaces: 1 })), refused, 'a list that is missing')
  t.same(refusals(doing(undefined)), refused, 'no summary')
  t.match(
    evaluateGate(doing(lost)).failures[0]?.reason,
    /^Stack prod\/db destroys or replaces module\.db\.aws_db_instance\.main \(apply\.rules\[0\]\.protect of the rule data\), and no member of acme\/dba approved beef001\. Ask a member of acme\/dba/,
  )
  t.match(evaluateGate(doing(lost)).layers.find(({ layer }) => layer === 'protect')?.evidence, [
    { holds: false, stacks: ['prod/db'], addresses: ['module.db.aws_db_instance.main'] },
  ])
  const runId = '00000000-0000-7000-8000-000000000001'
  const cut = stack('prod/db', { checks: [], runId, summary: summary({ ...lost, destroys: 2 }) })
  t.same(
    evaluateGate(doing(lost, { plan: plan({ stacks: [cut] }) })).layers.find(({ layer }) => layer === 'protect')
      ?.evidence,
    [
      {
        ...{ holds: false, stacks: ['prod/db'], run_id: runId, addresses: lost.destroyed },
        text: 'prod/db destroys or replaces module.db.aws_db_instance.main',
      },
      { holds: false, stacks: ['prod/db'], text: 'prod/db destroys or replaces what its plan does not list' },
    ],
    'with the run whose plan says so',
  )
  const reviews = [review('olga', 'APPROVED')]
  t.same(refusals(doing(lost, { reviews })), refused, 'an approval of somebody else')
  t.same(refusals(doing(lost, { reviews, memberships: [{ team: 'acme/dba', login: 'olga', member: true }] })), [])
})

t.test('four_eyes, last_push, code_owners and checks, for the stacks of their rule', async (t) => {
  const as = (rule: RuleText, more: Partial<PullFacts> = {}) =>
    refusals(asked(ruled([{ tag: 'critical', ...rule }]), more))
  t.same(as({ four_eyes: true }, { requester: 'ann' }), ['four_eyes four_eyes apply.rules[0]: prod/db'])
  t.same(as({ four_eyes: true }, { pusher: { login: 'rob', sha: HEAD } }), [
    'four_eyes four_eyes apply.rules[0]: prod/db',
  ])
  t.same(as({ four_eyes: true, last_push: false }, { pusher: { login: 'rob', sha: HEAD } }), [])
  t.same(as({ code_owners: true }), ['code_owners CODEOWNERS apply.rules[0]: prod/db'])
  t.same(as({ checks: ['cost'] }), ['check cost apply.rules[0]: prod/db'])
  const reviews = [review('olga', 'APPROVED')]
  const pusher = { login: 'olga', sha: HEAD }
  const two = ruled([
    { tag: 'critical', approvals: 1 },
    { match: 'prod/**', last_push: true },
    { match: 'dev/**', approvals: 1 },
  ])
  t.same(
    refusals(asked(two, { reviews, pusher })),
    ['approval approvals apply.rules[0]: prod/db'],
    'rules of one stack hold together',
  )
})

t.test('the code host is asked only for what rules ask of the stacks of the apply', async (t) => {
  const reviews = [review('olga', 'APPROVED')]
  const config = ruled([
    { match: 'dev/**', teams: ['dev'] },
    { tag: 'critical', approve_teams: ['dba'], teams: ['sre'] },
    { protect: ['x.y'], approve_teams: ['leads'] },
  ])
  t.same(gateLookups(asked(config, { reviews, stacks: ['dev/app'] })), {
    permissions: ['rob'],
    memberships: [{ team: 'acme/dev', login: 'rob' }],
  })
  t.same(gateLookups(asked(config, { reviews, stacks: ['prod/db'] })), {
    permissions: ['rob', 'olga'],
    memberships: [
      { team: 'acme/sre', login: 'rob' },
      { team: 'acme/dba', login: 'olga' },
    ],
  })
  const destroys = plan({
    stacks: [stack('dev/x', { checks: [], summary: { ...none, destroys: 1, destroyed: ['x.y'] } })],
  })
  t.same(gateLookups(asked(config, { reviews, plan: destroys })).memberships, [
    { team: 'acme/dev', login: 'rob' },
    { team: 'acme/leads', login: 'olga' },
  ])
})
