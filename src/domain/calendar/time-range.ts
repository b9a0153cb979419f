import { cronFields } from './cron-fields.ts'

const minuteMs = 60_000
const dayMinutes = 24 * 60

/** Times by the clock on the wall: the minutes that a cron line names, or all from one date to another. */
export type TimeRange = {
  isInside: (wall: number) => boolean
  /** Of the minutes from `wall` on, marks those that are inside: the first of them at `from`, the last one before `to`. */
  mark: (minutes: Uint8Array, from: number, to: number, wall: number) => void
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
  mark: (minutes, first, last, wall) => {
    const placeOf = (at: number): number => Math.max(first, Math.min(last, first + (at - wall) / minuteMs))
    minutes.fill(1, placeOf(from), placeOf(to))
  },
})

const byCron = (line: string): TimeRange => {
  const { minutes: named, hours, isDay } = cronFields(line)
  const isNamed = (place: number): boolean => hours.has(Math.floor(place / 60)) && named.has(place % 60)
  // for the search alone: to ask whether it is inside now, all minutes of a day are 0.1 ms too many
  let ofDay: Uint8Array | undefined
  const isOfDay = (date: Date): boolean => isDay(date.getUTCDate(), date.getUTCMonth() + 1, date.getUTCDay())
  const placeIn = (date: Date): number => date.getUTCHours() * 60 + date.getUTCMinutes()
  return {
    isInside: (wall) => {
      const date = new Date(wall)
      return isOfDay(date) && isNamed(placeIn(date))
    },
    mark: (minutes, from, to, wall) => {
      ofDay ??= Uint8Array.from({ length: dayMinutes }, (_, place) => Number(isNamed(place)))
      let at = from
      while (at < to) {
        const date = new Date(wall + (at - from) * minuteMs)
        const place = placeIn(date)
        const end = Math.min(to, at + dayMinutes - place)
        if (isOfDay(date)) for (let i = at; i < end; i += 1) if (ofDay[place + i - at] === 1) minutes[i] = 1
        at = end
      }
    },
  }
}

/** The times of a valid text: a cron line, whose minutes are inside, or dates. */
export const timeRange = (text: string): TimeRange => {
  const read = readDates(text)
  return read === undefined ? byCron(text) : betweenDates(read)
}
