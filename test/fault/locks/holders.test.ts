import t from 'tap'
import { createHolders } from './holders.ts'

t.test('a lock that is given to another while one has it is seen', async (t) => {
  const holders = createHolders()
  const early = holders.asking()
  holders.taken('net', 'one', holders.asking())
  holders.taken('net', 'two', early)
  t.same(holders.broken, [], 'who asked before may have had it before')
  holders.taken('net', 'three', holders.asking())
  t.same(holders.broken, ['net was given to three, while two had it'])
})

t.test('a lock that was given back, or that somebody asked back, may be given to another', async (t) => {
  const holders = createHolders()
  holders.taken('net', 'one', holders.asking())
  holders.givingBack('net')
  holders.taken('net', 'two', holders.asking())
  holders.forget('net')
  holders.taken('net', 'three', holders.asking())
  t.same(holders.broken, [])
})

t.test(
  'a release that is under way may free whoever takes the lock meanwhile, and one that was answered does not',
  async (t) => {
    const holders = createHolders()
    holders.taken('net', 'one', holders.asking())
    const answered = holders.releasing('net')
    holders.taken('net', 'two', holders.asking())
    answered()
    holders.taken('net', 'three', holders.asking())
    t.same(holders.broken, [])
    holders.taken('net', 'four', holders.asking())
    t.same(holders.broken, ['net was given to four, while three had it'])
  },
)
