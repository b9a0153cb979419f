import t from 'tap'
import { createAnnouncer } from '../../../ui/live/announcer.ts'

/** A clock that the test moves. */
const listener = () => {
  const said: string[] = []
  let at = 100_000
  let timers: { due: number; act: () => void }[] = []
  const announce = createAnnouncer((sentence) => said.push(sentence), {
    now: () => at,
    after: (ms, act) => timers.push({ due: at + ms, act }),
  })
  const pass = (ms: number): void => {
    at += ms
    const due = timers.filter((timer) => timer.due <= at)
    timers = timers.filter((timer) => timer.due > at)
    for (const timer of due) timer.act()
  }
  return { said, announce, pass }
}

t.test('the first sentence is read at once, the next after five seconds', async (t) => {
  const { said, announce, pass } = listener()
  announce('a applied.')
  announce('b applied.')
  t.same(said, ['a applied.'])
  pass(4999)
  t.same(said, ['a applied.'])
  pass(1)
  t.same(said, ['a applied.', 'b applied.'])
})

t.test('of what comes in between the newest is read, and how many there were', async (t) => {
  const { said, announce, pass } = listener()
  for (const each of ['a.', 'b.', 'c.', 'd.']) announce(each)
  pass(5000)
  t.same(said, ['a.', 'd. 2 more changes beside it.'])
  pass(60_000)
  announce('e.')
  t.equal(said.at(-1), 'e.', 'after a pause at once again')
})

t.test(
  'how a run ends, and the answer to what somebody did, are read whatever of its stacks comes after it',
  async (t) => {
    const { said, announce, pass } = listener()
    announce('a applied.', true)
    announce('The run is failed.')
    announce('b blocked.', true)
    pass(5000)
    t.same(said, ['a applied.', 'The run is failed. 1 more change beside it.'])
    announce('The run is planned.')
    announce('Copied the link.')
    pass(5000)
    t.equal(said.at(-1), 'Copied the link. 1 more change beside it.', 'of these the newest')
  },
)
