import t from 'tap'
import { cronFields } from '#domain/calendar/cron-fields.ts'
import { cronProblem, lastTick } from '#domain/config/cron.ts'

/* Which minutes a line names is found by ours and by croner, which also says which lines are valid. */

const names = [
  ['0', '30', '59', '07'],
  ['0', '9', '17', '23'],
  ['1', '15', '31', '30'],
  ['1', '2', '12', 'jan', 'Feb', 'DEC'],
  ['0', '1', '5', '6', '7', 'sun', 'Mon', 'fri', 'SAT'],
]

/** Every item that can be made of a field's numbers and names: valid or not. */
const itemsOf = (at: number): string[] => {
  const ends = names[at] ?? []
  const ranges = ['*', ...ends.flatMap((low) => ends.map((high) => `${low}-${high}`))]
  return [...ends, ...ranges, ...ranges.flatMap((range) => [`${range}/2`, `${range}/5`])]
}

/** Each item alone, and with another behind it. */
const fieldsOf = (at: number): string[] => {
  const items = itemsOf(at)
  return [...items, ...items.map((item, i) => `${item},${items[(i * 7 + 3) % items.length]}`)]
}

const isNamed = (line: string, at: Date): boolean => {
  const { minutes, hours, isDay } = cronFields(line)
  const isOfDay = isDay(at.getUTCDate(), at.getUTCMonth() + 1, at.getUTCDay())
  return isOfDay && hours.has(at.getUTCHours()) && minutes.has(at.getUTCMinutes())
}

/** All that each field tells apart: 60 minutes, 24 hours, 31 days, 12 months, 7 days of a week. */
const moments = [
  Array.from({ length: 60 }, (_, i) => Date.UTC(2027, 2, 5, 10, i)),
  Array.from({ length: 24 }, (_, i) => Date.UTC(2027, 2, 5, i)),
  Array.from({ length: 31 }, (_, i) => Date.UTC(2027, 2, 1 + i)),
  Array.from({ length: 12 }, (_, i) => Date.UTC(2027, i, 5)),
  Array.from({ length: 7 }, (_, i) => Date.UTC(2027, 2, 1 + i)),
].map((all) => all.map((at) => new Date(at)))

const differences = (line: string, field: number): string[] =>
  (moments[field] ?? []).flatMap((at) =>
    isNamed(line, at) === (+(lastTick(line, at) ?? 0) === +at) ? [] : [`${line} at ${at.toISOString()}`],
  )

for (const at of names.keys())
  t.test(`field ${at + 1} of a line names what it does in croner`, async (t) => {
    const lines = fieldsOf(at).map((field) => names.map((_, place) => (place === at ? field : '*')).join(' '))
    const valid = lines.filter((line) => cronProblem(line) === undefined)
    t.ok(valid.length > 20, `${valid.length} lines are valid`)
    t.same(valid.flatMap((line) => differences(line, at)).slice(0, 5), [])
  })

t.test('a week that ends on Sunday, and days of the month beside days of the week', async (t) => {
  const lines = [
    '* * * * sat-sun',
    '* * * * fri-sun',
    '* * * * 5-7',
    '* * * * sun-mon',
    '* * 13 * fri',
    '* * */2 * fri',
  ]
  for (const line of lines) for (const field of [2, 4]) t.same(differences(line, field).slice(0, 3), [], line)
  t.equal(cronFields('* * * * sat-sun').isDay(6, 3, 6), true, 'Saturday')
  t.equal(cronFields('* * * * sat-sun').isDay(7, 3, 0), true, 'Sunday')
})
