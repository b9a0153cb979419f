import t from 'tap'
import { summarise } from '#domain/plan-summary.ts'
import { matrixOf } from '#domain/resolution/matrix.ts'
import { canonicalResult, outcomeOf, type StackResult } from '#domain/result.ts'
import { clientDelays, retryDelay } from '#domain/retry.ts'
import { graphOf, resolved } from './graph/graph-of.ts'

const change = (address: string, actions: string[], more: object = {}, importing?: object) => ({
  address,
  mode: 'managed',
  ...more,
  change: { actions, before: { password: 'secret' }, ...(importing && { importing }) },
})

t.test('a plan is summarised', async (t) => {
  const plan = {
    format_version: '1.2',
    variables: { token: { value: 'secret' } },
    resource_changes: [
      change('a.create', ['create']),
      change('a.update', ['update']),
      change('a.delete', ['delete']),
      change('a.replace["k"]', ['delete', 'create']),
      change('a.replace_first', ['create', 'delete']),
      change('a.create_forget', ['create', 'forget']),
      change('a.noop', ['no-op']),
      change('a.forgotten', ['forget']),
      change('data.x.y', ['read'], { mode: 'data' }),
      change('data.x.z', ['create'], { mode: 'data' }),
      change('a.imported', ['no-op'], {}, { id: 'i-1' }),
      change('a.imported_too', ['update'], {}, { id: 'i-2' }),
      change('a.moved', ['no-op'], { previous_address: 'a.before' }),
      change('a.create', ['delete'], { deposed: 'abcd1234' }),
    ],
    output_changes: { same: { actions: ['no-op'] }, new: { actions: ['create'] }, gone: { actions: ['delete'] } },
  }
  t.same(summarise(plan), {
    ok: true,
    summary: {
      adds: 1,
      changes: 2,
      destroys: 2,
      replaces: 3,
      imports: 2,
      moves: 1,
      output_changes: 2,
      added: ['a.create'],
      changed: ['a.update', 'a.imported_too'],
      destroyed: ['a.delete', 'a.create (deposed abcd1234)'],
      replaced: ['a.replace["k"]', 'a.replace_first', 'a.create_forget'],
    },
  })
  t.notMatch(JSON.stringify(summarise(plan)), /secret/)
})

t.test('a plan without changes, a plan with very many, and texts that are not plans', async (t) => {
  t.same(summarise({ format_version: '1.0' }), { ok: true, summary: { adds: 0, changes: 0, destroys: 0, replaces: 0 } })
  const many = Array.from({ length: 501 }, (_, i) => change(`a.b[${i}]`, ['create']))
  const cut = summarise({ format_version: '1.2', resource_changes: many })
  t.same(cut.ok && [cut.summary.adds, cut.summary.added?.length], [501, 500])
  t.match(summarise({ format_version: '2.0' }), { ok: false, problem: /format_version is 2.0/ })
  t.match(summarise({ format_version: '10.0' }), { ok: false })
  t.match(summarise({}), { ok: false, problem: /format_version is missing/ })
  t.match(summarise(null), { ok: false })
  t.match(summarise({ format_version: '1.2', resource_changes: [{}] }), { ok: false, problem: /resource_changes\.0/ })
})

t.test('what a result means', async (t) => {
  const zero = { adds: 0, changes: 0, destroys: 0, replaces: 0 }
  const cases: [string, Omit<StackResult, 'mode'>, [plan: string, apply: string]][] = [
    ['exit 2', { status: 'success', exit_code: 2 }, ['changes', 'failed']],
    ['exit 0, changes', { status: 'success', exit_code: 0, has_changes: true }, ['changes', 'changes']],
    ['exit 0, no changes', { status: 'success', exit_code: 0, has_changes: false }, ['none', 'none']],
    ['exit 0, nothing said about changes', { status: 'success', exit_code: 0, summary: zero }, ['none', 'changes']],
    ['success alone', { status: 'success' }, ['none', 'changes']],
    ['counts', { status: 'success', has_changes: false, summary: { ...zero, adds: 1 } }, ['changes', 'changes']],
    ['outputs only', { status: 'success', summary: { ...zero, output_changes: 1 } }, ['changes', 'changes']],
    ['exit 1 reported as a success', { status: 'success', exit_code: 1 }, ['failed', 'failed']],
    ['failure', { status: 'failure', exit_code: 1 }, ['failed', 'failed']],
    ['error', { status: 'error', has_changes: true }, ['failed', 'failed']],
    ['unconfirmed', { status: 'success', exit_code: 2, unconfirmed: true }, ['unconfirmed', 'unconfirmed']],
    ['not unconfirmed', { status: 'failure', unconfirmed: false }, ['failed', 'failed']],
  ]
  for (const [name, result, [plan, apply]] of cases) {
    const outcome = (mode: StackResult['mode']) => outcomeOf(mode, { mode, ...result })
    t.same([outcome('plan'), outcome('drift'), outcome('apply')], [plan, plan, apply], name)
  }
})

t.test('equal results have equal text', async (t) => {
  const one: StackResult = {
    mode: 'plan',
    status: 'success',
    summary: { adds: 1, changes: 0, destroys: 0, replaces: 0, added: ['b', 'a'] },
  }
  const other = {
    summary: { added: ['b', 'a'], replaces: 0, destroys: 0, changes: 0, adds: 1 },
    job_url: undefined,
    status: 'success',
    mode: 'plan',
  } as const
  t.equal(canonicalResult(one), canonicalResult({ ...other, summary: { ...other.summary, added: ['b', 'a'] } }))
  t.not(canonicalResult(one), canonicalResult({ ...one, exit_code: 2 }))
  t.equal(
    canonicalResult(one),
    '{"mode":"plan","status":"success","summary":{"added":["b","a"],"adds":1,"changes":0,"destroys":0,"replaces":0}}',
  )
})

t.test('retries', async (t) => {
  t.same([1, 2, 3, 4, 5].map(retryDelay), [60, 300, 1800, 7200, undefined])
  t.same(clientDelays, [200, 800, 2000])
})

t.test('the job matrix', async (t) => {
  const graph = graphOf({
    a: {},
    'b:eu': { instance: 'eu', workspace: 'w', environment: 'prod', tool_version: '1.9.0', depends: ['a'] },
  })
  t.same(matrixOf(resolved(graph, ['a/f']).affected, 'c0ffee'), {
    include: [
      { stack: 'a', key: 'a', wave: 0, environment: 'default', tool: 'terraform', plan_output: 'full', sha: 'c0ffee' },
      {
        stack: 'b',
        key: 'b:eu',
        wave: 1,
        environment: 'prod',
        tool: 'terraform',
        tool_version: '1.9.0',
        plan_output: 'full',
        instance: 'eu',
        workspace: 'w',
        sha: 'c0ffee',
      },
    ],
  })
})
