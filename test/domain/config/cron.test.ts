import t from 'tap'
import { cronProblem, lastTick, nextTick } from '#domain/config/cron.ts'

t.test('a schedule is five fields of cron, and anything else is reported', async (t) => {
  for (const good of ['* * * * *', '0 4 * * 1-5', '*/15 0-6/2 1,15 jan-MAR sun', '0 0 31 12 7', '0 4 * * fri-sun'])
    t.equal(cronProblem(good), undefined, good)
  for (const bad of [
    '',
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '5/10 * * * *',
    '*/0 * * * *',
    '5-1 * * * *',
    '1-2-3 * * * *',
    '* * * foo *',
    '1,,2 * * * *',
    '@daily',
    '0 0 L * *',
    '0 0 15W * *',
    '0 0 * * 5#2',
    '0 0 ? * 1',
    '0 0 1 * +1',
    '0 0 0 1 * *',
    '2030-01-23T00:00:00',
  ])
    t.type(cronProblem(bad), 'string', bad)
})

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

t.test('a line may have no last minute, or be none', async (t) => {
  t.equal(lastTick('0 0 30 2 *', new Date()), undefined)
  t.throws(() => lastTick('0 4 * *', new Date()), { message: /'0 4 \* \* \*'?.* has 4 fields|has 4 fields/ })
})

t.test('the first minute after a time that a cron line names', async (t) => {
  const cases = [
    // line                after                   its next tick
    ['* * * * *', '2026-03-01T12:34:56Z', '2026-03-01T12:35'],
    ['* * * * *', '2026-03-01T12:34:00Z', '2026-03-01T12:35'],
    ['*/10 * * * *', '2026-03-01T12:50:00Z', '2026-03-01T13:00'],
    ['5-59/10 * * * *', '2026-03-01T23:55:00Z', '2026-03-02T00:05'],
    ['0 4 * * *', '2026-03-01T03:59:59.999Z', '2026-03-01T04:00'],
    ['0 4 * * *', '2026-03-01T04:00:00Z', '2026-03-02T04:00'],
    ['0 6,18 * * *', '2026-03-01T06:00:01Z', '2026-03-01T18:00'],
    ['30 4 * * mon-fri', '2026-02-27T04:30:00Z', '2026-03-02T04:30'],
    ['0 0 * * 7', '2026-03-01T00:00:00Z', '2026-03-08T00:00'],
    ['0 0 1 jan *', '2026-01-01T00:00:00Z', '2027-01-01T00:00'],
    ['59 23 31 12 *', '2026-12-31T23:59:00Z', '2027-12-31T23:59'],
    // only every 28 years
    ['0 0 29 2 */7', '2033-01-01T00:00:00Z', '2060-02-29T00:00'],
    ['0 0 29 2 *', '2096-02-29T00:00:00Z', '2104-02-29T00:00'],
    // the 13th, or any Friday; every other day, if it is a Monday
    ['0 0 13 * fri', '2026-03-07T00:00:00Z', '2026-03-13T00:00'],
    ['0 0 13 * fri', '2026-04-11T00:00:00Z', '2026-04-13T00:00'],
    ['0 0 */2 * mon', '2026-03-01T00:00:00Z', '2026-03-09T00:00'],
  ] as const
  for (const [cron, after, tick] of cases) {
    const next = nextTick(cron, new Date(after))
    t.equal(next?.toISOString().slice(0, 16), tick, `${cron} after ${after}`)
    t.same(lastTick(cron, next as Date), next, 'which is the last one then')
  }
})

t.test('a line may have no next minute, or be none', async (t) => {
  for (const cron of ['0 0 30 2 *', '0 0 31 4,6 *', '0 4 * *', '']) t.equal(nextTick(cron, new Date()), undefined, cron)
})
