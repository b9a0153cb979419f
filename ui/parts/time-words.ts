const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Two units, the smaller one only if there is something of it. */
const two = (ms: number, large: number, largeName: string, small: number, smallName: string): string => {
  const first = Math.floor(ms / large)
  const rest = Math.floor((ms - first * large) / small)
  return rest === 0 ? `${first} ${largeName}` : `${first} ${largeName} ${rest} ${smallName}`
}

/** How long something took: `38 s`, `4 min 12 s`, `2 h 5 min`, `3 d 2 h`. */
export const durationWords = (ms: number): string => {
  if (ms < minute) return `${Math.max(0, Math.floor(ms / second))} s`
  if (ms < hour) return two(ms, minute, 'min', second, 's')
  return ms < day ? two(ms, hour, 'h', minute, 'min') : two(ms, day, 'd', hour, 'h')
}

const coarse = (ms: number): string => {
  if (ms < minute) return `${Math.floor(ms / second)} s`
  if (ms < hour) return `${Math.floor(ms / minute)} min`
  return ms < day ? `${Math.floor(ms / hour)} h` : `${Math.floor(ms / day)} d`
}

/** How far away a moment is: `2 s ago`, `4 min ago`, `in 3 h`, `now`. */
export const distanceWords = (at: number, now: number): string => {
  const ms = now - at
  if (Math.abs(ms) < second) return 'now'
  return ms > 0 ? `${coarse(ms)} ago` : `in ${coarse(-ms)}`
}

const formatted = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', options)
  return (at: number): string => format.format(at)
}

const clock = formatted({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
const shortClock = formatted({ hour: '2-digit', minute: '2-digit' })
const date = formatted({ day: 'numeric', month: 'short' })
const dateWithYear = formatted({ day: 'numeric', month: 'short', year: 'numeric' })
const zone = formatted({ timeZoneName: 'shortOffset', hour: '2-digit' })

/** The time of day, with the date unless it is today: `12:44:02`, `yesterday 17:31`, `26 Jan 09:10`, `26 Jan 2025`. */
export const momentWords = (at: number, now: number): string => {
  const isOn = (days: number): boolean => dateWithYear(at) === dateWithYear(now - days * day)
  if (isOn(0)) return clock(at)
  if (isOn(1)) return `yesterday ${shortClock(at)}`
  return Math.abs(now - at) < 300 * day ? `${date(at)} ${shortClock(at)}` : dateWithYear(at)
}

/** All of it, with the time zone: `22 Nov 2026, 18:44:29 (UTC+1)`. */
export const exactWords = (at: number): string => {
  const offset = zone(at).replace(/^.*?(GMT|UTC)/, 'UTC')
  return `${dateWithYear(at)}, ${clock(at)} (${offset})`
}
