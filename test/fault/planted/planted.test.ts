import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { plantedFaults } from './faults.ts'
import { canBePlanted, planted } from './plant.ts'

/* `npm run proof -- planted` plants them, and runs the tests that must find them. */

t.test('every fault can still be planted, and the test that must find it is there', async (t) => {
  for (const fault of plantedFaults) {
    await t.resolves(canBePlanted(fault), fault.name)
    t.ok(existsSync(join(import.meta.dirname, '../../..', fault.test)), fault.test)
  }
})

t.test('a fault whose text has changed is not planted silently', async (t) => {
  const fault = { name: 'one', file: 'a.ts', from: 'old', to: '$& new', test: '', says: /./ }
  t.equal(planted('an old text', fault), 'an $& new text')
  t.throws(() => planted('a text', fault), /one cannot be planted: a.ts has its text 0 times/)
  t.throws(() => planted('old and old', fault), /2 times/)
})
