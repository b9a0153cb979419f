import t from 'tap'
import { heldStates } from '#domain/lock-state.ts'
import { describe } from '#machines/describe.ts'

t.test('a lock is free, or held in one of the states of its machine', async (t) => {
  const states = describe('lock').states.filter(({ initial }) => initial === undefined)
  t.same(states.map(({ name }) => name).sort(), ['free', ...heldStates].sort())
})
