import t from 'tap'
import { createByteBudget } from '#http/bodies/byte-budget.ts'

/** A budget of 100 bytes, and who gave way so far. */
const hundred = () => {
  const budget = createByteBudget(100)
  const gone: string[] = []
  return {
    gone,
    open: (name: string, ...owner: unknown[]) =>
      budget.open(owner.length === 0 ? [name] : owner, () => gone.push(name)),
  }
}

t.test('beyond the budget, who holds most gives way, whoever asks', (t) => {
  const { gone, open } = hundred()
  const [small, large] = [open('small'), open('large')]
  large.take(90)
  small.take(10)
  t.same(gone, [], 'all of it may be held')
  small.take(1)
  t.same(gone, ['large'])
  small.take(89)
  t.same(gone, ['large'], 'what the large one held is free again')
  small.take(1)
  t.same(gone, ['large', 'small'], 'one that is alone gives way itself')
  t.end()
})

t.test('of an owner with several, the newest gives way', (t) => {
  const { gone, open } = hundred()
  const [first, second, other] = [open('first', 'a'), open('second', 'a'), open('other', 'b')]
  other.take(45)
  first.take(30)
  second.take(25)
  second.take(1)
  t.same(gone, ['second'], 'each holds less than the other owner, together they hold more')
  t.end()
})

t.test('an organisation of many repositories holds no more than one of one', (t) => {
  const { gone, open } = hundred()
  const theirs = ['a1', 'a2', 'a3', 'a4'].map((name) => open(name, 'a', name))
  for (const one of theirs) one.take(20)
  theirs[1]?.take(1)
  open('other', 'b', 'b1').take(40)
  t.same(gone, ['a2'], 'less than all of theirs, and more than each: the one with most of theirs goes')
  t.end()
})

t.test('what ended, or gave way, counts no more', (t) => {
  const { gone, open } = hundred()
  const [one, two, three] = [open('one'), open('two'), open('three')]
  one.take(60)
  one.end()
  one.end()
  one.take(60)
  two.take(70)
  three.take(31)
  t.same(gone, ['two'])
  two.take(60)
  two.end()
  three.take(69)
  t.same(gone, ['two'], 'one that gave way takes nothing any more')
  t.end()
})
