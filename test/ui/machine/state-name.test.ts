import t from 'tap'
import { stateName } from '../../../ui/machine/state-name.ts'

t.test('a state has one name, however deep it is', async (t) => {
  const cases: [unknown, string][] = [
    ['planned', 'planned'],
    [{ applying: 'draining' }, 'applying.draining'],
    [{ held: { by: 'pull' } }, 'held.by.pull'],
    [{}, 'unknown'],
    [null, 'unknown'],
  ]
  for (const [value, name] of cases) t.equal(stateName(value), name, name)
})
