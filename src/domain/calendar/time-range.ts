import { cronFields } from './cron-fields.ts'

const minuteMs = 60_000
const dayMinutes = 24 * 60

/** Times by the clock on the wall: the minutes that a cron line names, or all from one date to another. */
export type TimeRange = {
  isInside: (wall: number) => boolean
  /** For how many minutes at least that stays so, as long as the clock is not put forward or back. */
  stays: (wall: number) => number
}

const dates = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2})?(?:\.\.(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2})?)?$/

const wallOf = (date: string, time: string): number | undefined => {
  const at = Date.parse(`${date}${time}Z`)
  // 2027-02-30 would be taken for the 2nd of March
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(`${date}${time}`) ? undefined : at
}

/** The first minute and the first one after the last; undefined for a text that is no dates. A last day counts whole. */
const readDates = (text: string): { from: number; to: number } | undefined => {
  const found = dates.exec(text.trim())
  if (found === null) return undefined
  const [, first = '', firstTime, last = first, lastTime] = found
  const from = wallOf(first, firstTime ?? 'T00:00')
  const isWholeDay = lastTime === undefined
  const to = wallOf(last, lastTime ?? 'T00:00')
  if (from === undefined || to === undefined) return undefined
  return { from, to: to + (isWholeDay ? dayMinutes * minuteMs : 0) }
}

/** Whether a text is meant as dates and not as a cron line. */
export const looksLikeDates = (text: string): boolean => /^\s*\d{4}-/.test(text)

/** What is wrong with dates; undefined if nothing is. */
export const datesProblem = (text: string): string | undefined => {
  const read = readDates(text)
  if (read === undefined)
    return `'${text}' is no day such as 2027-12-24 and no days such as 2027-12-24..2027-12-26 or 2027-12-24T18:00..2027-12-27T06:00`
  return read.from < read.to ? undefined : `'${text}' ends before it begins`
}

const betweenDates = ({ from, to }: { from: number; to: number }): TimeRange => ({
  isInside: (wall) => from <= wall && wall < to,
  stays: (wall) => (wall < from ? from - wall : wall < to ? to - wall : Number.POSITIVE_INFINITY) / minuteMs,
})

/** For each minute of a day that the line names: whether it is inside, and where that changes next. */
const runsOf = (inside: readonly boolean[]): Uint16Array => {
  const ends = new Uint16Array(dayMinutes)
  for (let at = dayMinutes - 1; at >= 0; at -= 1)
    ends[at] = at + 1 < dayMinutes && inside[at] === inside[at + 1] ? (ends[at + 1] ?? dayMinutes) : at + 1
  return ends
}

const byCron = (line: string): TimeRange => {
  const { minutes, hours, isDay } = cronFields(line)
  const inside = Array.from({ length: dayMinutes }, (_, at) => hours.has(Math.floor(at / 60)) && minutes.has(at % 60))
  const ends = runsOf(inside)
  const placeIn = (wall: number): { isOfDay: boolean; at: number } => {
    const date = new Date(wall)
    const isOfDay = isDay(date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCDay())
    return { isOfDay, at: date.getUTCHours() * 60 + date.getUTCMinutes() }
  }
  return {
    isInside: (wall) => {
      const { isOfDay, at } = placeIn(wall)
      return isOfDay && inside[at] === true
    },
    stays: (wall) => {
      const { isOfDay, at } = placeIn(wall)
      return (isOfDay ? (ends[at] ?? dayMinutes) : dayMinutes) - at
    },
  }
}

/** The times of a valid text: a cron line, whose minutes are inside, or dates. */
export const timeRange = (text: string): TimeRange => {
  const read = readDates(text)
  return read === undefined ? byCron(text) : betweenDates(read)
}
