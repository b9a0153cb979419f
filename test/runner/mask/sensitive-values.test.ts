import t from 'tap'
import { sensitiveValues } from '#runner/mask/sensitive-values.ts'

t.test('every value that a plan marks sensitive is found, wherever it is', (t) => {
  const change = {
    actions: ['update'],
    before: { password: 'old-1', size: 4 },
    after: {
      password: 'new-1',
      list: [{ pin: 'pin-1', open: 'open-1' }],
      whole: { a: 'deep-1', b: [true, null, 90210] },
    },
    before_sensitive: { password: true },
    after_sensitive: { password: true, list: [{ pin: true }], whole: true },
  }
  const plan = {
    format_version: '1.2',
    resource_changes: [{ address: 'a', change }],
    resource_drift: [
      { address: 'b', change: { before: 'drift-1', before_sensitive: true, after: null, after_sensitive: false } },
    ],
    output_changes: {
      key: { actions: ['create'], after: 'out-1', after_sensitive: true },
      host: { after: 'host-1', after_sensitive: false },
    },
    planned_values: {
      outputs: { token: { sensitive: true, value: 'planned-1' }, host: { sensitive: false, value: 'host-2' } },
      root_module: {
        child_modules: [{ resources: [{ values: { k: 'child-1', n: 'name-1' }, sensitive_values: { k: true } }] }],
      },
    },
    prior_state: { values: { outputs: { t: { sensitive: true, value: ['prior-1', 'prior-2'] } } } },
    variables: { db: { value: 'var-1' }, size: { value: 'size-1' } },
    configuration: { root_module: { variables: { db: { sensitive: true }, size: {} } } },
  }
  t.same(sensitiveValues(plan).sort(), [
    ...['90210', 'child-1', 'deep-1', 'drift-1', 'new-1', 'old-1', 'out-1', 'pin-1', 'planned-1', 'prior-1', 'prior-2'],
    'var-1',
  ])
  for (const odd of [
    undefined,
    null,
    'text',
    [],
    { before_sensitive: true },
    { values: 1, sensitive_values: { a: true } },
  ])
    t.same(sensitiveValues(odd), [])
  t.end()
})
