import { type CronField, cronFields, cronNumber } from './cron.ts'

/** A cron line, read: which days it names (UTC), and which minutes of them, counted from midnight, in order. */
export type CronLine = { isDay: (date: Date) => boolean; minutes: readonly number[] }

export const dayMs = 24 * 60 * 60 * 1000

/** The 29th of February comes every four years, and once a century only after eight. */
export const mostDays = 8 * 366

/**
 * Reads a line that `cronProblem` finds nothing wrong with. Where both days are restricted either of them suffices, as crons
 * have always had it.
 */
export const readCronLine = (cron: string): CronLine => {
  const parts = cron.trim().split(/\s+/)
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = cronFields.map((field, index) =>
    valuesOf(parts[index] ?? '', field),
  )
  const isEither = !isAny(parts[2]) && !isAny(parts[4])
  return {
    isDay: (date) => {
      const dayFits = days.includes(date.getUTCDate())
      const weekdayFits = weekdays.includes(date.getUTCDay()) || (date.getUTCDay() === 0 && weekdays.includes(7))
      return months.includes(date.getUTCMonth() + 1) && (isEither ? dayFits || weekdayFits : dayFits && weekdayFits)
    },
    minutes: [...new Set(hours.flatMap((hour) => minutes.map((minute) => hour * 60 + minute)))].sort((a, b) => a - b),
  }
}

const isAny = (part = ''): boolean => part.startsWith('*')

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
