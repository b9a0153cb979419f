import t from 'tap'
import { newId } from '#ids.ts'
import { shortId } from '../../../../ui/parts/text/short-id.ts'

const nextMillisecond = (): void => {
  const now = Date.now()
  while (Date.now() === now);
}

t.test('runs that began one after the other are told apart by the beginning of their ids', async (t) => {
  const ids = [1, 2, 3].map(() => {
    nextMillisecond()
    return newId()
  })
  t.equal(new Set(ids.map(shortId)).size, 3)
  t.ok(ids.every((id) => id.startsWith(shortId(id))))
})
