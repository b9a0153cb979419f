/** The numbers that each field of a cron line names, in the line's order: minute, hour, day of month, month, day of week. */
type Field = { from: number; to: number; names?: readonly string[] }

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const fields: readonly [Field, Field, Field, Field, Field] = [
  { from: 0, to: 59 },
  { from: 0, to: 23 },
  { from: 1, to: 31 },
  { from: 1, to: 12, names: months },
  { from: 0, to: 7, names: weekdays },
]

const numberOf = (text: string, { from, names = [] }: Field): number => {
  const named = names.indexOf(text.toLowerCase())
  return named < 0 ? Number(text) : named + from
}

/** Where a range ends on Sunday it is the day after Saturday. */
const lastOf = (text: string, field: Field): number => (text.toLowerCase() === 'sun' ? 7 : numberOf(text, field))

/** One item of a list: a number, or a range, or `*`, the last two with or without a step. */
const numbersOf = (item: string, field: Field): number[] => {
  const [range = '', step] = item.split('/')
  const [low = '', high] = range.split('-')
  const first = range === '*' ? field.from : numberOf(low, field)
  const last = range === '*' ? field.to : high === undefined ? first : lastOf(high, field)
  const every = step === undefined ? 1 : Number(step)
  // at most as many as the field has: a line that is not valid may have a step of 0, or no number at all
  const count = Math.min(Math.floor((last - first) / every) + 1, field.to - field.from + 1)
  return Array.from({ length: Math.max(0, count || 0) }, (_, i) => first + i * every)
}

const setOf = (text: string, field: Field): ReadonlySet<number> =>
  new Set(text.split(',').flatMap((item) => numbersOf(item, field)))

export type CronFields = {
  minutes: ReadonlySet<number>
  hours: ReadonlySet<number>
  /** Whether the line names the day, 1 to 31, of a month, 1 to 12, that is this weekday, with Sunday as 0. */
  isDay: (day: number, month: number, weekday: number) => boolean
}

/**
 * What a valid cron line names. If both the day of the month and the day of the week are restricted, either suffices, as in every
 * cron; a field that begins with `*` does not count as restricted.
 */
export const cronFields = (line: string): CronFields => {
  const [minute = '*', hour = '*', day = '*', month = '*', weekday = '*'] = line.trim().split(/\s+/)
  const days = setOf(day, fields[2])
  const ofYear = setOf(month, fields[3])
  const ofWeek = setOf(weekday, fields[4])
  const either = !day.startsWith('*') && !weekday.startsWith('*')
  return {
    minutes: setOf(minute, fields[0]),
    hours: setOf(hour, fields[1]),
    isDay: (date, at, dayOfWeek) => {
      const byDate = days.has(date)
      const byWeekday = ofWeek.has(dayOfWeek) || (dayOfWeek === 0 && ofWeek.has(7))
      return ofYear.has(at) && (either ? byDate || byWeekday : byDate && byWeekday)
    },
  }
}
