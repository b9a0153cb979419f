import { cronProblem } from './cron.ts'
import { dayMs, mostDays, readCronLine } from './cron-line.ts'

/**
 * The first minute after `after` that a cron line names (UTC); undefined where it names none, as the 30th of February, and for
 * a line that is none.
 */
export const nextTick = (cron: string, after: Date): Date | undefined => {
  if (cronProblem(cron) !== undefined) return undefined
  const { isDay, minutes } = readCronLine(cron)
  const midnight = Math.floor(+after / dayMs) * dayMs
  for (let ahead = 0; ahead < mostDays; ahead += 1) {
    const day = midnight + ahead * dayMs
    if (!isDay(new Date(day))) continue
    const minute = minutes.find((one) => day + one * 60_000 > +after)
    if (minute !== undefined) return new Date(day + minute * 60_000)
  }
  return undefined
}
