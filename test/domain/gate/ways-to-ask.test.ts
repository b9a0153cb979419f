import t from 'tap'
import { parseRepoConfig } from '#domain/config/config-file.ts'
import { evaluateGate } from '#domain/gate/evaluate-gate.ts'
import { facts, policy, pulled, said } from './gate-facts.ts'

/* What the gate asks of an apply that is not a comment's: on merge, by an API key, and without applying. */

const invalid = parseRepoConfig('version: 1\napply:\n  approvals: many\n  aprovals: 2\n')

t.test('on merge, permission, mergeable and mode are not asked', async (t) => {
  const merged = pulled({ state: 'closed', merged: true, mergeable: null })
  const given = { ...merged, how: 'on_merge' as const, requester: 'stranger', policy: policy({ mode: 'on_merge' }) }
  const { allowed, layers } = evaluateGate(given)
  t.ok(allowed)
  const notAsked = layers.filter(({ verdict }) => verdict === 'off').map(({ layer }) => layer)
  t.same(notAsked, ['mode', 'permission', 'mergeable'])
  t.equal(
    said({ ...given, requester: 'ann' }, 'four_eyes'),
    'fail: four_eyes',
    'the person who merges is the one who asks',
  )
  t.equal(said({ ...given, reviews: [] }, 'approval'), 'fail: approvals')
})

t.test('a manual run by API key needs a readable policy, and nothing else', async (t) => {
  const { allowed, layers } = evaluateGate({ how: 'manual', policy: policy({ mode: 'off' }) })
  t.ok(allowed)
  t.same(
    layers.filter(({ verdict }) => verdict !== 'off').map(({ layer }) => layer),
    ['config'],
  )
  t.same(said({ how: 'manual', policy: invalid }, 'config'), 'fail: apply.approvals apply.aprovals')
  t.equal(evaluateGate({ how: 'manual', policy: invalid }).failures.length, 2)
})

t.test('a dry run says what a comment would meet, and may leave open who comments', async (t) => {
  const { requester: _, ...nobody } = facts({ how: 'dry_run' })
  const { allowed, layers } = evaluateGate(nobody)
  t.ok(allowed)
  const open = layers.filter(({ verdict }) => verdict === 'unknown').map(({ layer }) => layer)
  t.same(open, ['permission', 'four_eyes'])
  t.notOk(evaluateGate({ ...nobody, how: 'comment' }).allowed, 'which a comment may not')
  for (const change of [{ plan: null }, { reviews: [] }, { requester: 'ann' }, { policy: invalid }] as const)
    t.same(evaluateGate(facts({ how: 'dry_run', ...change })).failures, evaluateGate(facts(change)).failures)
})
