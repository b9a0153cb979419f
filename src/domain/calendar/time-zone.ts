/** A clock on the wall of a time zone: what it shows at an instant, as the instant at which a clock in UTC shows the same. */
export type WallClock = (at: number) => number

const newFormat = (zone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })

/** Of the zones that were asked for, some 600 at most: to make one takes 0.1 ms, which is most of what a window costs. */
const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const name = zone.toLowerCase()
  const known = formats.get(name) ?? newFormat(zone)
  formats.set(name, known)
  return known
}

/** Whether there is a time zone of this name, such as `Europe/Berlin`. */
export const isTimeZone = (zone: string): boolean => {
  try {
    return formatOf(zone).format(0) !== ''
  } catch {
    return false
  }
}

/** The clock of a time zone, to the minute. Throws where there is no such zone. */
export const wallClock = (zone: string): WallClock => {
  if (zone === 'UTC') return (at) => at
  const format = formatOf(zone)
  return (at) => {
    const shown: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(at)) shown[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = shown
    return Date.UTC(year, month - 1, day, hour, minute)
  }
}

/** `Mon 2027-03-01 09:00 Europe/Berlin`, as people of that zone read their clock. */
export const clockText = (at: number, zone: string): string => {
  const wall = new Date(wallClock(zone)(at))
  const day = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][wall.getUTCDay()]
  return `${day} ${wall.toISOString().slice(0, 16).replace('T', ' ')} ${zone}`
}
