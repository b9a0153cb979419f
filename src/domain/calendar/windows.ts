import { type TimeRange, timeRange } from './time-range.ts'
import { type WallClock, wallClock } from './time-zone.ts'

const minuteMs = 60_000
const dayMinutes = 24 * 60
const dayMs = dayMinutes * minuteMs
/** Every day of any year is in it. */
const horizonDays = 400

/** When applies may begin, or may not: one of `allow` and `deny` is given. */
export type Window = { allow?: string | undefined; deny?: string | undefined; time_zone: string }

type Read = TimeRange & { isDeny: boolean; zone: number }

type Calendar = { windows: Read[]; clocks: WallClock[] }

const calendarOf = (windows: readonly Window[]): Calendar => {
  const zones = [...new Set(windows.map(({ time_zone: zone }) => zone))]
  const read = windows.map(({ allow, deny, time_zone: zone }) => ({
    isDeny: deny !== undefined,
    ...timeRange(deny ?? allow ?? ''),
    zone: zones.indexOf(zone),
  }))
  return { windows: read, clocks: zones.map(wallClock) }
}

/**
 * The windows that are in the way at an instant, by their places in the list: those of `deny` that it is inside of, and all of
 * `allow` if it is inside of none.
 */
const inTheWay = ({ windows, clocks }: Calendar, at: number): number[] => {
  const walls = clocks.map((clock) => clock(at))
  const isInside = ({ zone, isInside }: Read): boolean => isInside(walls[zone] ?? at)
  const isKept = windows.some(({ isDeny }) => !isDeny) && !windows.some((one) => !one.isDeny && isInside(one))
  return windows.flatMap((one, place) => ((one.isDeny ? isInside(one) : isKept) ? [place] : []))
}

/** Minutes from one of a day to another, in which a clock goes on without being put forward or back. */
type Piece = { from: number; to: number; wall: number }

/** A day in UTC by a clock: one piece, or two where it is put forward or back. */
const piecesOf = (clock: WallClock, day: number): Piece[] => {
  const shownAt = (minute: number): number => clock(day + minute * minuteMs)
  const wall = shownAt(0)
  const isSteady = (minute: number): boolean => shownAt(minute) - wall === minute * minuteMs
  if (isSteady(dayMinutes)) return [{ from: 0, to: dayMinutes, wall }]
  let [steady, changed] = [0, dayMinutes]
  while (changed - steady > 1) {
    const between = Math.floor((steady + changed) / 2)
    if (isSteady(between)) steady = between
    else changed = between
  }
  const pieces = [
    { from: 0, to: changed, wall },
    { from: changed, to: dayMinutes, wall: shownAt(changed) },
  ]
  return pieces.filter(({ from, to }) => from < to)
}

/** No clock is put forward and back again in so many days, so that it shows the same at both ends says that it was not touched. */
const steadyMs = 8 * dayMs

/** The days by a clock, one after the other. Asking a clock is what takes long, so it is asked of a week at once. */
const daysBy = (clock: WallClock): ((day: number) => Piece[]) => {
  let steady = { to: 0, shift: 0 }
  return (day) => {
    if (day >= steady.to) {
      const shift = clock(day) - day
      steady = { to: clock(day + steadyMs) - day - steadyMs === shift ? day + steadyMs : day, shift }
    }
    return day < steady.to ? [{ from: 0, to: dayMinutes, wall: day + steady.shift }] : piecesOf(clock, day)
  }
}

/**
 * Marked day by day, all minutes of a window at once: 50 lines that name every other minute take no longer than one that names all.
 */
const nextOpening = ({ windows, clocks }: Calendar, after: number): number | undefined => {
  const [denied, allowed] = [new Uint8Array(dayMinutes), new Uint8Array(dayMinutes)]
  const isFree = windows.every(({ isDeny }) => isDeny) ? 1 : 0
  const days = clocks.map(daysBy)
  const first = Math.floor(after / dayMs) * dayMs
  for (let day = first; day < first + horizonDays * dayMs; day += dayMs) {
    const pieces = days.map((piecesOfDay) => piecesOfDay(day))
    denied.fill(0)
    allowed.fill(isFree)
    for (const { isDeny, mark, zone } of windows)
      for (const { from, to, wall } of pieces[zone] ?? []) mark(isDeny ? denied : allowed, from, to, wall)
    const earliest = day === first ? Math.floor((after - first) / minuteMs) : 0
    for (let minute = earliest; minute < dayMinutes; minute += 1)
      if (denied[minute] === 0 && allowed[minute] === 1) return day + minute * minuteMs
  }
  return undefined
}

/** Whether applies may begin: if not, which windows are in the way, by their places in the list, and when none will be. */
export type WindowState = { open: true } | { open: false; places: number[]; opensAt?: Date }

/**
 * What windows say of an instant. Their times are those of the clock on the wall of their zone: an hour that is skipped in spring
 * is in no window, and one that comes twice in autumn is in its window twice. Without `opensAt` they open on no day of a year.
 */
export const windowState = (windows: readonly Window[], at: Date): WindowState => {
  const calendar = calendarOf(windows)
  const places = inTheWay(calendar, Math.floor(+at / minuteMs) * minuteMs)
  if (places.length === 0) return { open: true }
  const opens = nextOpening(calendar, +at)
  return { open: false, places, ...(opens === undefined ? {} : { opensAt: new Date(opens) }) }
}

/** The places of the windows that are in the way, without the search for when none is. */
export const windowsInTheWay = (windows: readonly Window[], at: Date): number[] =>
  inTheWay(calendarOf(windows), Math.floor(+at / minuteMs) * minuteMs)
