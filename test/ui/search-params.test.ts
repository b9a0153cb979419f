import t from 'tap'
import { addresses } from '../../ui/addresses.ts'
import { parseSearch, stringifySearch } from '../../ui/search-params.ts'

const uuid = '2919a255-0000-4000-8000-000000000001'

/** Of each page, one search that says all it can. */
const full: Record<keyof typeof addresses, object> = {
  overview: {},
  signIn: { next: '/runs/1?stack=a/b&status=failed' },
  run: { stack: 'apps/store:eu 1', status: ['failed', 'unknown'], q: 'aws_db[0] & "more" + 1%' },
  runTimeline: { stack: 'a', status: ['failed'], q: 'x', as: 'table', order: 'newest', cause: uuid, sort: '-job' },
  runChanges: { stack: 'a', status: ['failed'], q: 'x', find: 'aws_db["a b"]' },
  runMachine: { stack: 'a', status: ['failed'], q: 'x', kind: 'dispatch', of: uuid, seq: 12 },
  runStack: { fold: 'all,-12', find: 'null' },
  pull: {},
  machine: { seq: 3 },
  runs: { status: ['failed', 'unconfirmed'], mode: 'drift', repo: 'acme/infra', pr: 42, actor: 'ada' },
  repositories: { q: 'in', sort: '-locks' },
  repository: { q: 'vpc', status: ['failed'], drifted: 'true', unrun: 'true', sort: 'status' },
  repositoryRuns: { open: 'true', mode: 'apply', pr: 7, actor: 'ada' },
  repositoryGraph: {
    ...{ stack: 'data/db:eu', reach: 'needed', as: 'table', sort: '-needs' },
    ...{ q: 'vpc', status: ['failed'], drifted: 'true', unrun: 'true' },
  },
  repositoryLocks: { state: ['held.claimed', 'held.manual'], q: 'vpc' },
  stack: {},
  locks: { state: ['held.orphaned'], q: 'vpc', repo: 'acme/infra' },
  stacks: {
    ...{ q: 'net', repo: 'acme/infra', environment: 'production', status: ['failed'], drifted: 'true', locked: 'true' },
    ...{ tag: 'network', apply: ['failed', 'unknown'], behind: 'true' },
  },
  drift: { repo: 'acme/infra', q: 'x' },
  modules: { q: 'vpc', sort: '-behind' },
  module: { repo: 'acme/infra', at: 'net/v1.0.0', sort: '-behind' },
  audit: {
    ...{ actor: 'apikey:ci', action: 'unlock', target: 'acme/infra//data/database' },
    ...{ repo: 'acme/infra', from: '2026-11-16', to: '2026-11-23' },
  },
  queue: { state: 'dead' },
  search: { q: '#42' },
}

const given = (search: object): object =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))

t.test('what a page puts into its address is what it reads there', async (t) => {
  for (const [name, search] of Object.entries(full)) {
    const { search: read } = addresses[name as keyof typeof addresses]
    t.same(given(read(parseSearch(stringifySearch({ ...search })))), search, `${name}, from its address`)
    t.same(given(read({ ...search })), search, `${name}, from a link`)
  }
})

t.test('nonsense is as if it were not there, whatever it is', async (t) => {
  const nonsense: unknown[] = [
    null,
    undefined,
    '',
    0,
    -1,
    1.5,
    Number.NaN,
    true,
    {},
    [],
    ['nothing'],
    [null],
    'toString',
    '__proto__',
  ]
  for (const [name, { search: read }] of Object.entries(addresses)) {
    for (const value of nonsense) {
      const raw = Object.fromEntries(Object.keys(full[name as keyof typeof addresses]).map((key) => [key, value]))
      const known = given(read(raw))
      for (const [param, each] of Object.entries(known)) {
        // the first entry of a journal is 0
        if (param !== 'seq' || each !== 0) t.equal(typeof each, 'string', `${name}: ${JSON.stringify(raw)}`)
      }
    }
  }
  const { run, machine, signIn, runs } = addresses
  t.same(given(run.search(parseSearch('?status=failed,none,unknown,failed&stack='))), { status: ['failed', 'unknown'] })
  for (const seq of ['-3', '1e3', '12345678901234567', 'x']) t.same(given(machine.search({ seq })), {}, seq)
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'runs/1']) {
    t.same(given(signIn.search({ next })), {}, next)
  }
  t.same(given(runs.search(parseSearch('?mode=plan&mode=apply'))), { mode: 'apply' }, 'the last of two')
})

t.test('the way back after signing in is whole, or there is none', async (t) => {
  const { search } = addresses.signIn
  const key = 'データベース/本番環境/'.repeat(12)
  const next = `/runs/${uuid}/stacks/${encodeURIComponent(key)}`
  t.ok(next.length > 1000 && next.length < 2000, `${next.length} characters`)
  t.same(given(search(parseSearch(stringifySearch({ next })))), { next })
  t.same(given(search({ next: `/${'x'.repeat(2000)}` })), {})
})

t.test('addresses are such as people read', async (t) => {
  t.equal(
    stringifySearch({ stack: 'data/db:eu', status: ['failed', 'unknown'], q: undefined }),
    '?stack=data/db:eu&status=failed,unknown',
  )
  t.equal(stringifySearch({ q: '' }), '')
  t.equal(stringifySearch({ q: 'a b&c' }), '?q=a+b%26c')
})
