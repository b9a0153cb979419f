import t from 'tap'
import { initials } from '../../../ui/shell/initials.ts'

t.test('a login has two letters', async (t) => {
  for (const [login, letters] of [
    ['ada', 'AD'],
    ['ada-lovelace', 'AL'],
    ['apikey:ci', 'AC'],
    ['x', 'X'],
    ['éa', 'ÉA'],
    ['---', ''],
  ] as const) {
    t.equal(initials(login), letters)
  }
})
