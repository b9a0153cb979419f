import { type CronField, cronFields, cronNumber, cronProblem } from './cron.ts'

const dayMs = 24 * 60 * 60 * 1000
/** The 29th of February comes every four years, and once a century only after eight. */
const mostDays = 8 * 366

/**
 * The newest minute at or before `at` that a cron line names (UTC); undefined where it names none, as the 30th of February.
 * Where both days are restricted either of them suffices, as crons have always had it. Throws on a line that is none.
 */
export const lastTick = (cron: string, at: Date): Date | undefined => {
  const problem = cronProblem(cron)
  if (problem !== undefined) throw new Error(`the cron line '${cron}' ${problem}`)
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = cronFields.map((field, index) =>
    valuesOf(partOf(cron, index), field),
  )
  const isDay = (date: Date): boolean => {
    const dayFits = days.includes(date.getUTCDate())
    const weekdayFits = weekdays.includes(date.getUTCDay()) || (date.getUTCDay() === 0 && weekdays.includes(7))
    const either = !isAny(partOf(cron, 2)) && !isAny(partOf(cron, 4))
    return months.includes(date.getUTCMonth() + 1) && (either ? dayFits || weekdayFits : dayFits && weekdayFits)
  }
  const midnight = Math.floor(+at / dayMs) * dayMs
  for (let back = 0; back < mostDays; back += 1) {
    const day = midnight - back * dayMs
    if (!isDay(new Date(day))) continue
    const most = back === 0 ? Math.floor((+at - day) / 60_000) : 24 * 60
    const minute = lastMinute(hours, minutes, most)
    if (minute !== undefined) return new Date(day + minute * 60_000)
  }
  return undefined
}

/** The newest minute of a day, counted from its midnight, that is not after `most`. */
const lastMinute = (hours: number[], minutes: number[], most: number): number | undefined => {
  const all = hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute)).filter((one) => one <= most)
  return all.length === 0 ? undefined : Math.max(...all)
}

const partOf = (cron: string, index: number): string => cron.trim().split(/\s+/)[index] ?? ''

const isAny = (part: string): boolean => part.startsWith('*')

/** The numbers that a field such as `5-59/10` or `mon,fri` names. */
const valuesOf = (part: string, field: CronField): number[] =>
  part.split(',').flatMap((one) => {
    const [range = '', step = '1'] = one.split('/')
    const [from = '', to = from] = range === '*' ? [String(field.min), String(field.max)] : range.split('-')
    const [first, last] = [cronNumber(from, field) ?? 0, cronNumber(to, field) ?? 0]
    return Array.from({ length: last - first + 1 }, (_, index) => first + index).filter(
      (value) => (value - first) % Number(step) === 0,
    )
  })
