import t from 'tap'
import { keyParts } from '../../../../ui/parts/text/key-parts.ts'

t.test('a key may be broken after slashes and colons, and stays the same text', async (t) => {
  t.same(keyParts('apps/storefront:production'), ['apps/', 'storefront:', 'production'])
  t.same(keyParts('.'), ['.'])
  for (const key of ['acme/infra//data/database', 'a:b', '/', '']) t.equal(keyParts(key).join(''), key)
})
