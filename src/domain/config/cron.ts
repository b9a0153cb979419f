import { Cron } from 'croner'

/** In the order of a cron line. */
const fields = [
  { name: 'minute', values: '0 to 59' },
  { name: 'hour', values: '0 to 23' },
  { name: 'day of month', values: '1 to 31' },
  { name: 'month', values: '1 to 12' },
  { name: 'day of week', values: '0 to 7' },
]

/** Names, numbers, lists, ranges and steps. croner knows `L`, `W`, `#`, `?`, `+` and `@daily`, too, which few crons do. */
const plain = /^(?:[a-z]{3}|[\d*,/-])+$/i

const fieldsOf = (text: string): string[] => text.trim().split(/\s+/)

// If both days are restricted, either of them suffices, as in every cron. A field that begins with `*`, such as `*/2`, does not
// count as restricted; in croner it does.
const read = (text: string): Cron => {
  const [, , day = '', , weekday = ''] = fieldsOf(text)
  const domAndDow = day.startsWith('*') || weekday.startsWith('*')
  return new Cron(text, { mode: '5-part', utcOffset: 0, domAndDow })
}

const isField = (part: string, index: number): boolean => {
  if (!plain.test(part)) return false
  try {
    read(fields.map((_, at) => (at === index ? part : '*')).join(' '))
    return true
  } catch {
    return false
  }
}

/**
 * What is wrong with a cron line of five fields (minute, hour, day of month, month, day of week; UTC); undefined if nothing is.
 */
export const cronProblem = (text: string): string | undefined => {
  const parts = fieldsOf(text)
  if (parts.length !== fields.length)
    return `has ${parts.length} fields, a cron line has five: minute, hour, day of month, month, day of week`
  for (const [i, { name, values }] of fields.entries()) {
    const part = parts[i] ?? ''
    if (!isField(part, i))
      return `'${part}' is not a valid ${name}: expected ${values}, '*', a range or a step such as '*/2'`
  }
  return undefined
}

/**
 * The first minute after `after` that a cron line names (UTC); undefined where it names none, as the 30th of February, and for
 * a line that is none.
 */
export const nextTick = (cron: string, after: Date): Date | undefined =>
  cronProblem(cron) === undefined ? (read(cron).nextRun(after) ?? undefined) : undefined

const minuteMs = 60_000

/**
 * The newest minute at or before `at` that a cron line names (UTC); undefined where it names none, as the 30th of February.
 * Throws on a line that is none.
 */
export const lastTick = (cron: string, at: Date): Date | undefined => {
  const problem = cronProblem(cron)
  if (problem !== undefined) throw new Error(`the cron line '${cron}' ${problem}`)
  const minuteAfter = new Date((Math.floor(+at / minuteMs) + 1) * minuteMs)
  return read(cron).previousRuns(1, minuteAfter)[0]
}
