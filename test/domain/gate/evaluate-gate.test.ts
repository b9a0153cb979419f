import t from 'tap'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { evaluateGate, type PullFacts } from '#domain/gate/evaluate-gate.ts'
import { check, facts, HEAD, layerOf, OLD, plan, policy, pulled, stack, table } from './gate-facts.ts'

const invalid = parseRepoConfig('version: 1\napply:\n  approvals: many\n  aprovals: 2\n')

t.test('an apply that all facts support passes, with the facts behind each layer', async (t) => {
  const { allowed, failures, layers } = evaluateGate(facts())
  t.ok(allowed)
  t.same(failures, [])
  t.same(
    layers.map(({ layer, verdict }) => `${layer} ${verdict}`),
    [
      'config pass',
      'mode pass',
      'permission pass',
      'approval pass',
      'mergeable pass',
      'base pass',
      'code_owners pass',
      'four_eyes pass',
      'plan pass',
      'check pass',
      'lock pass',
      'in_flight pass',
    ],
  )
  const evidence = layers.flatMap(({ evidence }) => evidence)
  t.match(evidence, [
    { text: 'rob has write', login: 'rob' },
    { text: 'rob is in acme/sre' },
    { text: 'olga approved beef001', login: 'olga', sha: HEAD },
    { text: 'mergeable: true, state clean' },
    { text: 'into main' },
    { text: '1 changed path has no owner' },
    { text: /^olga, an owner by .github\/CODEOWNERS:1, approved beef001 with the changed path app\/main.tf$/ },
    { text: /^olga, an owner by .github\/CODEOWNERS:2/ },
    { text: 'asked for by rob, written by ann' },
    { text: 'beef001 was pushed by ann' },
    { text: '2 of 2 stacks are planned at beef001', sha: HEAD, run_id: 'run-1' },
    { text: 'cost: 2 passed, 0 with a warning, 0 failed', check: 'cost' },
  ])
})

t.test('config', async (t) => {
  table(t, 'config', [
    ['a valid file', facts(), 'pass'],
    [
      'every problem is named',
      facts({ policy: invalid }),
      'fail: apply.approvals apply.aprovals',
      /line 3: apply.approvals/,
    ],
    ['no problem is reported', facts({ policy: { ok: false, problems: [] } }), 'fail: svc.yml'],
  ])
  const layers = evaluateGate(facts({ policy: invalid })).layers.map(({ layer, verdict }) => `${layer} ${verdict}`)
  t.same(
    layers.filter((each) => each.endsWith('unknown')),
    [
      'mode unknown',
      'approval unknown',
      'mergeable unknown',
      'base unknown',
      'code_owners unknown',
      'four_eyes unknown',
    ],
    'the requirements of an unreadable policy are not known',
  )
})

t.test('mode', async (t) => {
  table(t, 'mode', [
    ['comments apply', facts(), 'pass'],
    ['merging applies', facts({ policy: policy({ mode: 'on_merge' }) }), 'fail: on_merge', /Merge the pull request/],
    ['nothing of a pull request applies', facts({ policy: policy({ mode: 'off' }) }), 'fail: off', /API key/],
  ])
})

t.test('mergeable', async (t) => {
  table(t, 'mergeable', [
    ['clean', facts(), 'pass'],
    ['blocked, as it is until a required svc/apply has run', pulled({ mergeableState: 'blocked' }), 'pass'],
    ['unstable, as our own red check makes it', pulled({ mergeableState: 'unstable' }), 'pass'],
    ['with hooks', pulled({ mergeableState: 'has_hooks' }), 'pass'],
    ['not known yet', pulled({ mergeable: null, mergeableState: 'unknown' }), 'pending: not_known', /not known yet/],
    ['a draft', pulled({ draft: true, mergeableState: 'blocked' }), 'fail: draft', /ready for review/],
    ['a draft by its state', pulled({ mergeableState: 'draft' }), 'fail: draft'],
    ['behind', pulled({ mergeableState: 'behind' }), 'fail: behind', /Update the branch/],
    ['dirty', pulled({ mergeable: false, mergeableState: 'dirty' }), 'fail: conflict', /Resolve the conflicts/],
    ['dirty, and mergeable unknown', pulled({ mergeable: null, mergeableState: 'dirty' }), 'fail: conflict'],
    ['not mergeable', pulled({ mergeable: false }), 'fail: conflict'],
    ['a draft that conflicts', pulled({ draft: true, mergeable: false }), 'fail: draft conflict'],
    ['a draft not known yet', pulled({ draft: true, mergeable: null }), 'fail: draft not_known'],
    ['closed', pulled({ state: 'closed', mergeable: null, mergeableState: 'unknown' }), 'fail: closed', /Reopen/],
    ['merged', pulled({ state: 'closed', merged: true }), 'fail: merged'],
    ['not asked for', { ...pulled({ mergeable: false, draft: true }), policy: policy({ mergeable: false }) }, 'off'],
    [
      'closed, whatever the policy',
      { ...pulled({ state: 'closed' }), policy: policy({ mergeable: false }) },
      'fail: closed',
    ],
    ['closed, and the policy invalid', { ...pulled({ state: 'closed' }), policy: invalid }, 'fail: closed'],
  ])
})

t.test('plan', async (t) => {
  const planned = (more: Partial<NonNullable<PullFacts['plan']>>, rest: Partial<PullFacts> = {}) =>
    facts({ plan: plan(more), ...rest })
  const mixed = [
    stack('a'),
    stack('b', { status: 'failed' }),
    stack('c', { status: 'failed' }),
    stack('d', { status: 'unknown' }),
  ]
  table(t, 'plan', [
    ['every stack planned or without changes', facts(), 'pass'],
    ['none', facts({ plan: null }), 'fail: missing', /no plan of beef001\. See whether/],
    ['none, from a fork', { ...pulled({ fork: true }), plan: null }, 'fail: missing', /fork/],
    ['of an older commit', planned({ sha: OLD }), 'fail: older_commit', /plan is of 0dd5ff1, and the head is beef001/],
    ['the head moved after the comment', facts({ askedSha: OLD }), 'fail: head', /moved from 0dd5ff1 to beef001/],
    [
      'planned again after the comment',
      planned({ stacks: [stack('a', { unread: true }), stack('b')] }),
      'fail: unread',
      /^Stack a was planned after the apply was asked for\. Read that plan, then comment `svc apply` again\.$/,
    ],
    [
      'being planned',
      planned({ status: 'planning', stacks: [stack('a', { status: 'planning' })] }),
      'pending: planning planning',
    ],
    ['pending', planned({ status: 'pending', stacks: [] }), 'pending: planning'],
    ['superseded', planned({ status: 'superseded' }), 'fail: superseded'],
    [
      'a stack was changed by another since',
      planned({ stacks: [stack('a', { overtaken: { runId: 'run-8', prNumber: 12 } }), stack('b')] }),
      'fail: overtaken',
      /^Stack a was changed by #12 after being planned here\. Update the branch/,
    ],
    [
      'by a manual run',
      planned({ stacks: [stack('a', { overtaken: { runId: 'run-8' } }), stack('b')] }),
      'fail: overtaken',
      /changed by run run-8/,
    ],
    [
      'could not be resolved',
      planned({ status: 'failed', stacks: [], failure: 'a → b → a' }),
      'fail: resolution',
      /a → b → a\. Fix it/,
    ],
    [
      'stacks failed',
      planned({ status: 'failed', stacks: mixed }),
      'fail: failed unknown',
      /^2 stacks \(b, c\) are not planned: the plan failed/,
    ],
    [
      'unconfirmed',
      planned({ status: 'unconfirmed', stacks: [stack('a', { status: 'unconfirmed' })] }),
      'fail: unconfirmed',
      /^Stack a is/,
    ],
    ['only the stacks asked for', planned({ status: 'failed', stacks: mixed }, { stacks: ['a'] }), 'pass'],
    ['a stack that is not in it', facts({ stacks: ['app', 'x'] }), 'fail: not_planned', /^Stack x is not part/],
    ['no stack affected', planned({ stacks: [] }), 'fail: nothing'],
    ['no stack affected, on merge', planned({ stacks: [] }, { how: 'on_merge' }), 'pass'],
  ])
  t.same(layerOf(planned({ stacks: mixed }), 'plan').failures[0]?.stacks, ['b', 'c'])
})

t.test('check', async (t) => {
  const checked = (...stacks: ReturnType<typeof stack>[]) => facts({ plan: plan({ stacks }) })
  const passed = check('cost', 'pass')
  const none = policy({ checks: [] })
  table(t, 'check', [
    ['passed', facts(), 'pass'],
    ['a warning passes', checked(stack('a', { checks: [check('cost', 'warn')] })), 'pass'],
    [
      'required and failed',
      checked(stack('a', { checks: [check('cost', 'fail', 'Over budget.')] })),
      'fail: cost',
      /^Stack a failed the check cost: Over budget\. Fix what cost names/,
    ],
    [
      'failed, though nobody requires it',
      checked(stack('a', { checks: [passed, check('lint', 'fail')] })),
      'fail: lint',
    ],
    [
      'required and absent on one stack',
      checked(stack('a'), stack('b', { checks: [] })),
      'fail: cost',
      /^Stack b has no verdict/,
    ],
    [
      'failed here, absent there',
      checked(stack('a', { checks: [check('cost', 'fail')] }), stack('b', { checks: [] })),
      'fail: cost cost',
    ],
    [
      'absent while it is planned',
      facts({ plan: plan({ status: 'planning', stacks: [stack('a', { checks: [] })] }) }),
      'pending: cost',
    ],
    ['required, and no plan', facts({ plan: null }), 'unknown: cost'],
    ['none required, and no plan', facts({ plan: null, policy: none }), 'pass'],
    [
      'not required, and absent on one stack',
      { ...checked(stack('a'), stack('b', { checks: [] })), policy: none },
      'pass',
    ],
    ['none required, none there', { ...checked(stack('a', { checks: [] })), policy: none }, 'pass'],
    [
      'failed on a stack not asked for',
      { ...checked(stack('a'), stack('b', { checks: [check('cost', 'fail')] })), stacks: ['a'] },
      'pass',
    ],
    [
      'failed, and the policy invalid',
      { ...checked(stack('a', { checks: [check('x', 'fail')] })), policy: invalid },
      'fail: x',
    ],
  ])
  t.match(
    layerOf(
      checked(stack('b', { checks: [check('cost', 'fail')] }), stack('a', { checks: [check('cost', 'fail')] })),
      'check',
    ).failures,
    [{ name: 'cost', stacks: ['a', 'b'] }],
  )
})

t.test('lock', async (t) => {
  const locked = (...locks: PullFacts['locks']) => facts({ locks })
  const other = { stackKey: 'app', runId: 'run-9', prNumber: 12, takenAt: '2026-01-01T00:00:00Z' }
  table(t, 'lock', [
    ['its own lock', facts(), 'pass'],
    ['none', locked(), 'pass'],
    [
      'by another pull request',
      locked(other),
      'fail: #12',
      /^Stack app is locked by pull request #12\. Wait until #12/,
    ],
    ['by a manual run', locked({ stackKey: 'app', runId: 'run-9' }), 'fail: run run-9', /manual run run-9/],
    ['each holder once', locked(other, { ...other, stackKey: 'db' }, { ...other, prNumber: 3 }), 'fail: #3 #12'],
    ['on a stack not asked for', { ...locked(other), stacks: ['db'] }, 'pass'],
  ])
  const { evidence, failures } = layerOf(locked({ ...other, stackKey: 'db' }, other), 'lock')
  t.match(evidence, [{ holds: false, text: 'held by #12 since 2026-01-01T00:00:00Z', pr_number: 12, run_id: 'run-9' }])
  t.same(failures[0]?.stacks, ['app', 'db'])
})

t.test('in_flight', async (t) => {
  table(t, 'in_flight', [
    ['no other apply', facts(), 'pass'],
    [
      'another apply',
      facts({ otherApply: { runId: 'run-8' } }),
      'pending: run-8',
      /run-8 of this pull request is still in flight/,
    ],
  ])
})

t.test('a layer that refuses says what to do next', async (t) => {
  const { layers } = evaluateGate({ ...pulled({ draft: true, mergeable: false }), plan: null, reviews: [] })
  for (const { layer, failures, next, summary } of layers) {
    t.equal(next === undefined, failures.length === 0, layer)
    for (const { reason } of failures) t.match(reason, /^[A-Z0-9][^\n]+\. [A-Z][^\n]+\.$/)
    t.match(summary, /^\S/)
  }
  t.equal(
    layers.find(({ layer }) => layer === 'mergeable')?.next,
    'Mark it as ready for review. Resolve the conflicts and push.',
  )
})
