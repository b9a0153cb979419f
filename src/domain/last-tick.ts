import { cronProblem } from './cron.ts'
import { dayMs, mostDays, readCronLine } from './cron-line.ts'

/**
 * The newest minute at or before `at` that a cron line names (UTC); undefined where it names none, as the 30th of February.
 * Throws on a line that is none.
 */
export const lastTick = (cron: string, at: Date): Date | undefined => {
  const problem = cronProblem(cron)
  if (problem !== undefined) throw new Error(`the cron line '${cron}' ${problem}`)
  const { isDay, minutes } = readCronLine(cron)
  const midnight = Math.floor(+at / dayMs) * dayMs
  for (let back = 0; back < mostDays; back += 1) {
    const day = midnight - back * dayMs
    if (!isDay(new Date(day))) continue
    const most = Math.floor((+at - day) / 60_000)
    const minute = minutes.findLast((one) => one <= most)
    if (minute !== undefined) return new Date(day + minute * 60_000)
  }
  return undefined
}
