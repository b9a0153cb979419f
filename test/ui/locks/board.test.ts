import t from 'tap'
import type { Lock } from '../../../ui/api/locks.ts'
import { countsOf, groupsOf, sizeOf } from '../../../ui/locks/board.ts'
import { holderDoes, holderOf, releaseWords, waitersOf } from '../../../ui/locks/lock-words.ts'

const lock = (key: string, more: Partial<Lock> = {}): Lock => ({
  ...{ stack_id: key, stack_key: key, repo: 'acme/infra', state: 'held.claimed', fence: 1, waiting_total: 0 },
  ...{ pr_number: 42, run_id: '2919a255-0000-4000-8000-000000000001', taken_at: '2026-11-23T10:00:00Z' },
  ...more,
})

const waiting = (...numbers: number[]) => ({
  waiting: numbers.map((number) => ({ pr_number: number, run_id: 'r' })),
  waiting_total: numbers.length,
})

t.test('orphaned ones come first, then those that others wait for, each the longest held first', async (t) => {
  const locks = [
    lock('new', { taken_at: '2026-11-23T12:00:00Z' }),
    lock('old', { taken_at: '2026-11-20T12:00:00Z' }),
    lock('awaited', { taken_at: '2026-11-23T11:00:00Z', ...waiting(45) }),
    lock('orphan', { state: 'held.orphaned', ...waiting(45) }),
  ]
  const shown = groupsOf(locks).map(({ name, locks }) => [name, locks.map(({ stack_key: key }) => key).join()])
  t.same(shown, [
    ['orphaned', 'orphan'],
    ['waited for', 'awaited'],
    ['rest', 'old,new'],
  ])
  t.same(groupsOf([]), [])
  t.same(countsOf(locks), { 'held.claimed': 3, 'held.orphaned': 1 })
  t.equal(sizeOf(locks, true), '4 held · 1 orphaned · others wait for 2')
  t.match(sizeOf(locks, false), /^4 held the longest, and there are more · /)
})

t.test('who holds a lock, and who waits, in words', async (t) => {
  t.equal(holderOf(lock('a')), '#42')
  t.equal(holderOf({ run_id: '2919a255-0000-4000-8000-000000000001' }), 'run 2919a255-0000')
  t.equal(holderOf({}), 'a run')
  t.equal(waitersOf(lock('a')), '')
  t.equal(waitersOf(lock('a', waiting(45))), '#45')
  t.equal(waitersOf(lock('a', waiting(45, 51))), '#45 and #51')
  t.equal(waitersOf(lock('a', { ...waiting(1, 2, 3, 4), waiting_total: 12 })), '#1, #2, #3 and 9 more')
  t.equal(holderDoes({ pr_state: 'closed', run_status: 'applied' }), 'closed')
  t.equal(holderDoes({ pr_state: 'open', run_status: 'applying' }), 'applies')
  t.equal(holderDoes({ pr_state: 'open', run_status: 'applied' }), '')
})

t.test('before it is released, what that does, to whom, and what it does not', async (t) => {
  const said = (more: Partial<Lock>, force = false) => {
    const { happens, staysAsItIs } = releaseWords(lock('data/db', more), { age: '4 min', force })
    return [...happens, ...staysAsItIs].join(' ')
  }
  t.match(said({}), 'The lock on data/db that #42 has held for 4 min is released.')
  t.match(said({}), 'Nobody waits for it')
  t.match(said({}), '#42 has changed nothing here.')
  t.match(said(waiting(45)), '#45 may then take it, with its next apply.')
  t.match(said(waiting(45, 51)), '#45 and #51 may then take it, with their next apply.')
  t.match(said({ run_status: 'applying' }), 'another one could begin beside it')
  t.match(said({ state: 'held.orphaned', pr_state: 'closed' }), 'closed without a merge')
  t.match(said({ state: 'held.changed' }), 'What #42 applied stays.')
  t.match(said({}, true), '#42 gets a comment, which asks to look at the state lock of the tool.')
  t.notMatch(said({ pr_number: undefined }), 'gets a comment')
  t.match(said({}), 'The state lock of the tool is not touched.')
})
