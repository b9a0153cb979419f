import t from 'tap'
import { createRunStore } from '../../../ui/live/run-store.ts'
import { answer, row } from '../run/rows.ts'

/** A store whose next frame comes when the test says so. */
const started = () => {
  const due: (() => void)[] = []
  const store = createRunStore((act) => due.push(act))
  return { store, frame: () => due.splice(0).map((act) => act()).length }
}

t.test('who subscribed to a row is told once a frame, and only of that row', async (t) => {
  const { store, frame } = started()
  store.take(answer(1, [row('a'), row('b')]), 0)
  frame()
  const told: string[] = []
  for (const key of ['a', 'b']) store.subscribeRow(key, () => told.push(key))
  const stop = store.subscribe(() => told.push('all'))
  store.take(answer(2, [row('a', { status: 'planning' })], { since: 1 }), 1000)
  store.take(answer(3, [row('a', { status: 'planned' })], { since: 2 }), 2000)
  t.equal(store.row('a')?.status, 'pending', 'nothing changes between frames')
  t.equal(frame(), 1)
  t.same(told, ['a', 'all'])
  t.equal(store.row('a')?.status, 'planned')
  stop()
  store.take(answer(4, [row('b', { status: 'failed' })], { since: 3 }), 3000)
  frame()
  t.same(told, ['a', 'all', 'b'])
})

t.test('rows that are gone are told of too', async (t) => {
  const { store, frame } = started()
  store.take(answer(1, [row('a'), row('b')]), 0)
  frame()
  let told = 0
  store.subscribeRow('a', () => {
    told += 1
  })
  store.take(answer(2, [row('b')]), 1000)
  frame()
  t.equal(told, 1)
  t.equal(store.row('a'), undefined)
})

t.test('each frame says what changed since the one before it', async (t) => {
  const { store, frame } = started()
  const seen: string[] = []
  store.watch((changes, before, after) => {
    const words = changes.map((change) => `${change.after.key} ${change.before?.status} ${change.after.status}`)
    seen.push([before.run?.rev, after.run?.rev, ...words].join(', '))
  })
  store.take(answer(1, [row('a')]), 0)
  frame()
  store.take(answer(2, [row('a', { status: 'planning' })], { since: 1 }), 0)
  store.take(answer(3, [row('a', { status: 'failed' })], { since: 2 }), 0)
  frame()
  t.same(seen, [', 1, a undefined pending', '1, 3, a pending failed'])
})

t.test('it asks for what changed, and for everything now and then, since locks have no part in rev', async (t) => {
  const { store } = started()
  t.equal(store.since(0), undefined, 'nothing is known')
  store.take(answer(7, [row('a')]), 1000)
  t.equal(store.since(2000), 7)
  store.take(answer(8, [], { since: 7 }), 20_000)
  t.equal(store.since(30_000), 8)
  t.equal(store.since(31_000), undefined, 'half a minute after the last whole answer')
  store.take(answer(8, [row('a')]), 31_000)
  t.equal(store.since(32_000), 8)
  store.forget()
  t.equal(store.since(32_000), undefined)
})

t.test(
  'what is summed up stays where an answer says that nothing changed; an older answer changes nothing',
  async (t) => {
    const { store, frame } = started()
    store.take(answer(5, [row('a', { status: 'failed' })], { next: 'Fix it.' }), 0)
    const same = store.take(answer(5, undefined, { since: 5 }), 0)
    t.equal(same.next, 'Fix it.')
    t.notOk('since' in same)
    t.equal(store.take(answer(4, [row('a')]), 0).next, 'Fix it.')
    frame()
    t.equal(store.row('a')?.status, 'failed')
    t.equal(store.take(answer(6, [row('a')], { since: 5, counts: {} }), 0).next, undefined, 'a newer one says it anew')
  },
)
