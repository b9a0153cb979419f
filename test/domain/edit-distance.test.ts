import t from 'tap'
import { editDistance, nearest } from '#domain/edit-distance.ts'

t.test('the intended word is a slip away, or begins the same', async (t) => {
  t.same(
    [
      editDistance('aprovals', 'approvals'),
      editDistance('ab', 'ba'),
      editDistance('', 'abc'),
      editDistance('kitten', 'sitting'),
    ],
    [1, 1, 3, 3],
  )
  t.equal(nearest('Ignor', ['stacks', 'ignore']), 'ignore')
  t.equal(nearest('x', []), undefined)
  const flags = ['url', 'sha', 'stack', 'work-dir']
  const meant = ['zzz', 'x', 'sah', 'stacks', 'work', 'wo', 'workdri'].map((word) => nearest(word, flags))
  t.same(meant, [undefined, undefined, 'sha', 'stack', 'work-dir', undefined, 'work-dir'], 'a slip, or a beginning')
})
