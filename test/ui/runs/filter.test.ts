import t from 'tap'
import { askedOf, filterOf } from '../../../ui/runs/filter.ts'

t.test('what the service is asked is what the address says', async (t) => {
  const search = { status: ['failed' as const, 'unconfirmed' as const], mode: 'apply' as const, pr: 7 }
  const filter = { mode: 'apply' as const, repo: 'acme/infra', status: search.status, pr: 7 }
  t.same(filterOf(search, 'acme/infra'), filter)
  t.equal(filterOf(search, undefined).pr, undefined, 'a number says nothing without its repository')
  t.same(askedOf(filter), { mode: 'apply', repo: 'acme/infra', status: 'failed, unconfirmed', pr: 7 })
})
