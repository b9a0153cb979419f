const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

export type CronField = { name: string; min: number; max: number; names?: string[] }

/** In the order in which a cron line has them. */
export const cronFields: readonly CronField[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of week', min: 0, max: 7, names: DAYS },
]

/** Of a number or a name; undefined where it is none of the field's. */
export const cronNumber = (text: string, field: CronField): number | undefined => {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1
  if (named >= 0) return named + field.min
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return value >= field.min && value <= field.max ? value : undefined
}

const isRange = (text: string, field: CronField): boolean => {
  if (text === '*') return true
  const [first = '', last, ...rest] = text.split('-')
  const from = cronNumber(first, field)
  if (from === undefined || rest.length > 0) return false
  if (last === undefined) return true
  const to = cronNumber(last, field)
  return to !== undefined && to >= from
}

const isPart = (text: string, field: CronField): boolean => {
  const [range = '', step, ...rest] = text.split('/')
  if (rest.length > 0 || !isRange(range, field)) return false
  if (step === undefined) return true
  // `5/10` means different things to different crons (from 5 on, or 5 alone), so a step wants a range.
  return (range === '*' || range.includes('-')) && /^[1-9]\d?$/.test(step)
}

/** What is wrong with a cron line of five fields (minute, hour, day of month, month, day of week; UTC); undefined: nothing. */
export const cronProblem = (text: string): string | undefined => {
  const parts = text.trim().split(/\s+/)
  if (parts.length !== cronFields.length)
    return `has ${parts.length} fields, a cron line has five: minute, hour, day of month, month, day of week`
  for (const [i, field] of cronFields.entries()) {
    const part = parts[i] ?? ''
    if (part.split(',').every((one) => isPart(one, field))) continue
    return `'${part}' is no ${field.name}: expected ${field.min} to ${field.max}, '*', a range or a step such as '*/2'`
  }
  return undefined
}
