import t from 'tap'
import { listed, many } from '../../../ui/parts/words.ts'

t.test('words and lists', async (t) => {
  t.same(
    [1, 2].map((count) => many(count, 'stack')),
    ['1 stack', '2 stacks'],
  )
  t.same(
    [[], ['a'], ['a', 'b'], ['a', 'b', 'c', 'd', 'e']].map((names) => listed(names)),
    ['', 'a', 'a and b', 'a, b, c and 2 more'],
  )
})
