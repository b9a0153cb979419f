import { join } from 'node:path'
import t from 'tap'
import { directoryFor } from '#test/runner/client.ts'
import { compareOrders } from './order/compare.ts'

/* The first repositories of `npm run proof -- order`. */

t.test('svc order says what the service would do', async (t) => {
  const dir = join(directoryFor(t), 'repository')
  const met = { stacks: 0, waves: 0, cycles: 0 }
  for (let seed = 0; seed < 40; seed += 1) {
    const { stacks, waves, cycles, differing } = await compareOrders(dir, seed)
    t.same(differing, [], `seed ${seed}`)
    met.stacks += stacks
    met.waves = Math.max(met.waves, waves)
    met.cycles += cycles
  }
  t.ok(met.stacks > 100 && met.waves > 2 && met.cycles > 0, JSON.stringify(met))
})
