const formatted = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', options)
  return (at: number): string => format.format(at)
}

const toTheSecond = formatted({ hour: '2-digit', minute: '2-digit', second: '2-digit' })
const toTheMinute = formatted({ hour: '2-digit', minute: '2-digit' })
const toTheDay = formatted({ day: 'numeric', month: 'short' })

const minute = 60_000
const day = 1440 * minute

/** A share of the axis, as a style takes it. */
export const percent = (part: number): string => `${(part * 100).toFixed(2)}%`

/** A moment on an axis whose marks are so many milliseconds apart. */
export const clockWords = (at: number, step: number): string => {
  if (step >= day) return toTheDay(at)
  return step >= minute ? toTheMinute(at) : toTheSecond(at)
}
