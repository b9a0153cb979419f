import t from 'tap'
import { placeBeside } from '../../../../ui/parts/overlay/place.ts'

const view = { width: 375, height: 667 }
const at = (left: number, top: number) => ({ left, top, right: left + 40, bottom: top + 20 })

t.test('what floats is below, above where there is no room, and in the window in any case', async (t) => {
  t.same(placeBeside(at(20, 100), { width: 100, height: 50 }, view), { left: 20, top: 124 })
  t.same(placeBeside(at(20, 640), { width: 100, height: 50 }, view), { left: 20, top: 586 })
  t.same(placeBeside(at(330, 100), { width: 100, height: 50 }, view), { left: 271, top: 124 })
  t.same(placeBeside(at(0, 300), { width: 900, height: 900 }, view), { left: 4, top: 324 }, 'too large for either')
})
