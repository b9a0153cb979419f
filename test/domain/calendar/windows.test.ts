import t from 'tap'
import { clockText, isTimeZone } from '#domain/calendar/time-zone.ts'
import { type Window, windowState, windowsInTheWay } from '#domain/calendar/windows.ts'
import { measured } from '#test/helpers/pace.ts'

const berlin = 'Europe/Berlin'

const deny = (times: string, time_zone = 'UTC'): Window => ({ deny: times, time_zone })
const allow = (times: string, time_zone = 'UTC'): Window => ({ allow: times, time_zone })

/** `open`, or the places of the windows in the way and when none is. */
const said = (windows: Window[], at: string): string => {
  const state = windowState(windows, new Date(at))
  if (state.open) return 'open'
  return `${state.places.join(' ')} until ${state.opensAt?.toISOString().slice(0, 16) ?? 'never'}`
}

type Row = readonly [about: string, windows: Window[], at: string, says: string]

const rows: Row[] = [
  ['no window', [], '2027-03-05T18:00:00Z', 'open'],
  ['before a Friday evening', [deny('* 17-23 * * fri')], '2027-03-05T16:59:59.999Z', 'open'],
  ['from its first minute', [deny('* 17-23 * * fri')], '2027-03-05T17:00:00Z', '0 until 2027-03-06T00:00'],
  ['to its last', [deny('* 17-23 * * fri')], '2027-03-05T23:59:59Z', '0 until 2027-03-06T00:00'],
  [
    'as that zone’s clock shows it',
    [deny('* 17-23 * * fri', berlin)],
    '2027-03-05T16:00:00Z',
    '0 until 2027-03-05T23:00',
  ],
  ['and not as another’s', [deny('* 17-23 * * fri', berlin)], '2027-03-05T23:00:00Z', 'open'],
  ['single minutes', [deny('30 * * * *')], '2027-03-05T10:30:12Z', '0 until 2027-03-05T10:31'],
  ['all of a day', [deny('2027-12-24')], '2027-12-24T00:00:00Z', '0 until 2027-12-25T00:00'],
  [
    'the days between, the last one whole',
    [deny('2027-12-24..2027-12-26')],
    '2027-12-26T23:59:00Z',
    '0 until 2027-12-27T00:00',
  ],
  [
    'hours of days, by their zone',
    [deny('2027-12-24T18:00..2027-12-27T06:00', berlin)],
    '2027-12-24T17:00:00Z',
    '0 until 2027-12-27T05:00',
  ],
  ['after the days', [deny('2027-12-24..2027-12-26')], '2028-12-25T00:00:00Z', 'open'],
  ['outside of what is allowed', [allow('* 9-16 * * mon-fri')], '2027-03-05T17:00:00Z', '0 until 2027-03-08T09:00'],
  ['inside of one of two', [allow('* 9-16 * * mon-fri'), allow('* 20 * * *')], '2027-03-06T20:10:00Z', 'open'],
  [
    'outside of both',
    [allow('* 9-16 * * mon-fri'), allow('* 20 * * *')],
    '2027-03-06T21:00:00Z',
    '0 1 until 2027-03-07T20:00',
  ],
  [
    'allowed and denied',
    [allow('* 9-16 * * *'), deny('* 12 * * *')],
    '2027-03-06T12:30:00Z',
    '1 until 2027-03-06T13:00',
  ],
  [
    'the next allowed hour is denied',
    [allow('* 9 * * *'), deny('2027-03-07')],
    '2027-03-06T10:00:00Z',
    '0 until 2027-03-08T09:00',
  ],
  ['nothing is ever allowed', [allow('* * * * *'), deny('* * * * *')], '2027-03-06T10:00:00Z', '1 until never'],
  ['the days that are allowed are over', [allow('2027-01-01..2027-01-31')], '2027-03-06T10:00:00Z', '0 until never'],
  ['once in four years, more than a year ahead', [allow('* * 29 2 *')], '2025-03-06T10:00:00Z', '0 until never'],
  ['once in four years, soon', [allow('* * 29 2 *')], '2027-06-06T10:00:00Z', '0 until 2028-02-29T00:00'],
  [
    'by the day of the month or of the week, as cron has it',
    [deny('* * 1 * mon')],
    '2027-03-08T10:00:00Z',
    '0 until 2027-03-09T00:00',
  ],
  ['names, lists and steps', [deny('*/20 8-18/2,23 * mar sun,7')], '2027-03-07T10:40:00Z', '0 until 2027-03-07T10:41'],
]

/** The 28th of March 2027 has no hour from 2 to 3 in Berlin, and the 31st of October has two. */
const edges: Row[] = [
  [
    'spring: a night that is denied is an hour shorter',
    [deny('* 0-5 * * *', berlin)],
    '2027-03-27T23:00:00Z',
    '0 until 2027-03-28T04:00',
  ],
  ['spring: the hour that is skipped is denied to nobody', [deny('* 2 * * *', berlin)], '2027-03-28T01:00:00Z', 'open'],
  ['spring: nor does it come', [allow('* 2 * * *', berlin)], '2027-03-27T12:00:00Z', '0 until 2027-03-29T00:00'],
  ['spring: a minute before', [deny('* 3 * * *', berlin)], '2027-03-28T00:59:00Z', 'open'],
  ['spring: the minute after', [deny('* 3 * * *', berlin)], '2027-03-28T01:00:00Z', '0 until 2027-03-28T02:00'],
  [
    'autumn: the first of the two hours',
    [deny('* 2 * * *', berlin)],
    '2027-10-31T00:30:00Z',
    '0 until 2027-10-31T02:00',
  ],
  ['autumn: and the second', [deny('* 2 * * *', berlin)], '2027-10-31T01:30:00Z', '0 until 2027-10-31T02:00'],
  ['autumn: half of it twice', [deny('0-29 2 * * *', berlin)], '2027-10-31T00:10:00Z', '0 until 2027-10-31T00:30'],
  ['autumn: and the half between is free', [deny('0-29 2 * * *', berlin)], '2027-10-31T00:40:00Z', 'open'],
  ['autumn: and denied again', [deny('0-29 2 * * *', berlin)], '2027-10-31T01:10:00Z', '0 until 2027-10-31T01:30'],
  [
    'autumn: a night that is denied is an hour longer',
    [deny('* 0-5 * * *', berlin)],
    '2027-10-30T22:00:00Z',
    '0 until 2027-10-31T05:00',
  ],
  ['autumn: a whole weekend', [deny('* * * * sat,sun', berlin)], '2027-10-29T22:00:00Z', '0 until 2027-10-31T23:00'],
  [
    'half an hour, on Lord Howe',
    [deny('* 0-5 * * *', 'Australia/Lord_Howe')],
    '2027-04-03T13:00:00Z',
    '0 until 2027-04-03T19:30',
  ],
]

t.test('windows, read aloud', async (t) => {
  for (const [about, windows, at, says] of rows) t.equal(said(windows, at), says, about)
})

t.test('where the clock is put forward and back', async (t) => {
  for (const [about, windows, at, says] of edges) t.equal(said(windows, at), says, about)
})

const minute = 60_000

t.test('when they open is the first minute at which they are open, found by trying each', async (t) => {
  const sets: Window[][] = [
    [deny('* 17-23 * * fri', berlin), deny('*/7 3 * * *', 'America/New_York')],
    [allow('5-50/9 9-16 * * mon-fri', berlin), deny('* 12 * * *', berlin)],
    [allow('* 1-3 * * *', 'America/St_Johns')],
    [deny('* 0-5,7-23 * * *', 'Australia/Lord_Howe')],
  ]
  for (const windows of sets)
    for (const day of ['2027-03-13', '2027-03-27', '2027-04-03', '2027-10-02', '2027-10-30', '2027-11-06']) {
      let open: number | undefined
      for (let at = Date.parse(`${day}T12:00Z`) + 3 * 1440 * minute; at >= Date.parse(`${day}T12:00Z`); at -= minute) {
        const when = new Date(at)
        if (windowsInTheWay(windows, when).length === 0) open = at
        // asking at each minute takes 20 s; every thirteenth is another one of each hour
        else if (open !== undefined && (at / minute) % 13 === 0) {
          const state = windowState(windows, when)
          if (state.open || +(state.opensAt ?? 0) !== open)
            return t.fail(`${JSON.stringify(windows)} at ${when.toISOString()}: ${JSON.stringify(state)}`)
        }
      }
    }
  t.pass('24 times three days')
})

t.test('windows that never open are told in a moment', async (t) => {
  const zones = ['UTC', berlin, 'America/New_York', 'Asia/Tokyo', 'Australia/Lord_Howe']
  const windows = Array.from({ length: 50 }, (_, i) => deny(`0-58 ${i % 24} * * *`, zones[i % 5]))
  const { result, ms } = measured(() =>
    windowState([...windows, allow('59 25 31 feb *'.replace('25', '23'))], new Date('2027-01-01')),
  )
  t.match(result, { open: false })
  t.ok(ms < 2000, `${Math.round(ms)} ms`)
})

t.test('windows that change each minute, by 50 clocks, are told in a moment', async (t) => {
  const zones = Intl.supportedValuesOf('timeZone')
  const windows = Array.from({ length: 50 }, (_, i) => deny(i % 2 ? '*/2 * * * *' : '1-59/2 * * * *', zones[i * 8]))
  const { result, ms } = measured(() => windowState(windows, new Date('2027-01-01')))
  t.match(result, { open: false, opensAt: undefined })
  t.ok(ms < 2000, `${Math.round(ms)} ms`)
})

t.test('a time is told as people of that zone read it', async (t) => {
  t.equal(clockText(Date.parse('2027-03-05T23:00Z'), berlin), 'Sat 2027-03-06 00:00 Europe/Berlin')
  t.same(
    [isTimeZone(berlin), isTimeZone('UTC'), isTimeZone('Europe/Berln'), isTimeZone('')],
    [true, true, false, false],
  )
})
