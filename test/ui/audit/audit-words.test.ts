import { readFileSync } from 'node:fs'
import t from 'tap'
import {
  actionWords,
  detailLine,
  didWords,
  pullOf,
  startOf,
  targetOf,
  wordsOfAction,
} from '../../../ui/audit/audit-words.ts'

t.test('every action of the interface has its words', async (t) => {
  const page = readFileSync(new URL('../../../docs/interface.md', import.meta.url), 'utf8')
  const table = page.slice(page.indexOf('### AuditEntry'), page.indexOf('## States'))
  const actions = table.split('\n').flatMap((line) => {
    const [, names = ''] = /^\| (`.+?`) \|/.exec(line) ?? []
    return [...names.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name)
  })
  t.ok(actions.length > 8)
  t.same(Object.keys(actionWords).toSorted(), actions.toSorted())
  t.equal(wordsOfAction('of_a_later_version'), 'of a later version')
})

t.test('what an entry is about', async (t) => {
  t.same(targetOf('acme/infra'), { owner: 'acme', repo: 'infra', key: undefined })
  t.same(targetOf('acme/infra//data/db:eu'), { owner: 'acme', repo: 'infra', key: 'data/db:eu' })
  t.same(targetOf('queue:12'), { name: 'queue:12' })
  t.same(targetOf('run:a/b'), { name: 'run:a/b' })
})

t.test('details stand in one line: the reason first, the repository not again', async (t) => {
  const details = {
    repo: 'acme/infra',
    force_state: true,
    pr: 7,
    verb: 'x',
    reason: 'it died',
    keys: ['a', 'b'],
    env: [],
  }
  t.equal(detailLine({ details }), '“it died”, force state true, keys a, b')
  t.equal(detailLine({}), '')
  t.equal(pullOf({ details }), 7)
  t.equal(didWords({ action: 'command', details: { verb: 'apply' } }), 'gave a command: apply')
  t.equal(didWords({ action: 'unlock' }), 'released a lock')
})

t.test('a day begins where one is, and the day after it is its end', async (t) => {
  const from = startOf('2026-11-23') ?? ''
  t.equal(Date.parse(startOf('2026-11-23', 1) ?? '') - Date.parse(from), 24 * 3_600_000)
  t.equal(new Date(from).getHours(), 0)
  t.equal(startOf(undefined), undefined)
})
