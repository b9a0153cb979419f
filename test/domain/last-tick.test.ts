import t from 'tap'
import { lastTick } from '#domain/last-tick.ts'

t.test('the newest minute that a cron line names', async (t) => {
  const cases = [
    // line             at                     its last tick
    ['* * * * *', '2026-03-01T12:34:56Z', '2026-03-01T12:34'],
    ['* * * * *', '2026-03-01T12:34:00Z', '2026-03-01T12:34'],
    ['*/10 * * * *', '2026-03-01T12:09:59Z', '2026-03-01T12:00'],
    ['5-59/10 * * * *', '2026-03-01T12:04:00Z', '2026-03-01T11:55'],
    ['17 * * * *', '2026-03-01T00:16:00Z', '2026-02-28T23:17'],
    ['0 4 * * *', '2026-03-01T04:00:00Z', '2026-03-01T04:00'],
    ['0 4 * * *', '2026-03-01T03:59:59Z', '2026-02-28T04:00'],
    ['0 6,18 * * *', '2026-03-01T05:00:00Z', '2026-02-28T18:00'],
    ['30 4 * * mon-fri', '2026-03-01T12:00:00Z', '2026-02-27T04:30'],
    ['0 0 * * 7', '2026-03-03T12:00:00Z', '2026-03-01T00:00'],
    ['0 0 1 jan *', '2026-03-03T12:00:00Z', '2026-01-01T00:00'],
    ['0 0 29 2 *', '2027-03-03T12:00:00Z', '2024-02-29T00:00'],
    // the 13th, or any Friday
    ['0 0 13 * fri', '2026-03-12T12:00:00Z', '2026-03-06T00:00'],
    ['0 0 13 * fri', '2026-04-13T12:00:00Z', '2026-04-13T00:00'],
  ] as const
  for (const [cron, at, tick] of cases) {
    t.equal(lastTick(cron, new Date(at))?.toISOString().slice(0, 16), tick, `${cron} at ${at}`)
  }
})

t.test('a line may name no minute, or be none', async (t) => {
  t.equal(lastTick('0 0 30 2 *', new Date()), undefined)
  t.throws(() => lastTick('0 4 * *', new Date()), { message: /'0 4 \* \* \*'?.* has 4 fields|has 4 fields/ })
})
