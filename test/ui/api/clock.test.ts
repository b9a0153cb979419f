import t from 'tap'
import { type Offset, offsetOf, sighted } from '../../../ui/api/clock.ts'

const at = Date.UTC(2026, 0, 31, 12, 0, 0)

t.test('clocks that may agree are taken to', async (t) => {
  t.equal(offsetOf(undefined), 0)
  t.equal(offsetOf(sighted(undefined, { date: at, sent: at + 100, received: at + 300 })), 0)
  t.equal(offsetOf(sighted(undefined, { date: at, sent: at + 900, received: at + 1900 })), 0, 'a slow answer says less')
})

t.test('a clock that is an hour off is told by the service', async (t) => {
  const hour = 3_600_000
  const known = sighted(undefined, { date: at + hour, sent: at + 500, received: at + 600 })
  t.ok(Math.abs(offsetOf(known) - (hour - 50)) <= 600, String(offsetOf(known)))
})

t.test('each answer narrows it down, and a clock that was set is believed anew', async (t) => {
  const ahead = 5_250
  let known: Offset | undefined
  for (let i = 0; i < 40; i += 1) {
    const sent = at + i * 1013
    const received = sent + 40
    known = sighted(known, { date: Math.floor((sent + 20 + ahead) / 1000) * 1000, sent, received })
  }
  t.ok(Math.abs(offsetOf(known) - ahead) < 60, `${offsetOf(known)} of ${ahead}`)
  t.equal(offsetOf(sighted(known, { date: at, sent: at + 400, received: at + 500 })), 0)
})
