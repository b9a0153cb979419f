import t from 'tap'
import { type Binding, createChords } from '../../../ui/keys/chords.ts'

const binding = (keys: string, does = keys): Binding => ({ keys, does, act: () => {} })

/** What each key did, pressed one after the other, 100 ms apart unless it says so. */
const press = (bindings: Binding[], ...pressed: (string | number)[]) => {
  const meant = createChords(() => bindings)
  let at = 0
  return pressed.flatMap((each) => {
    at += typeof each === 'number' ? each : 100
    return typeof each === 'number' ? [] : [meant({ key: each, at })?.does]
  })
}

t.test('two keys in a row mean another thing than each alone', async (t) => {
  const all = [binding('g o'), binding('g r'), binding('o'), binding('?')]
  t.same(press(all, 'g', 'o'), [undefined, 'g o'])
  t.same(press(all, 'o'), ['o'])
  t.same(press(all, 'g', '?'), [undefined, '?'], 'which is none of those')
  t.same(press(all, 'g', 2000, 'o'), [undefined, 'o'], 'too late')
  t.same(press(all, 'g', 'g', 'r'), [undefined, undefined, 'g r'])
  t.same(press(all, 'x', 'o'), [undefined, 'o'])
})

t.test('of the same keys those of what came last count', async (t) => {
  t.same(press([binding('j', 'row'), binding('j', 'stack')], 'j'), ['stack'])
})
