import { timeRange } from './time-range.ts'
import { type WallClock, wallClock } from './time-zone.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** No time zone changes its clock but at a quarter of an hour. */
const quarter = 15
/** Every day of any year is in it. */
const horizonMs = 400 * dayMs

/** When applies may begin, or may not: one of `allow` and `deny` is given. */
export type Window = { allow?: string | undefined; deny?: string | undefined; time_zone: string }

type Opened = { isDeny: boolean; isInside: (wall: number) => boolean; stays: (wall: number) => number; zone: number }

type Calendar = { opened: Opened[]; clocks: WallClock[] }

const calendarOf = (windows: readonly Window[]): Calendar => {
  const zones = [...new Set(windows.map(({ time_zone: zone }) => zone))]
  const opened = windows.map(({ allow, deny, time_zone: zone }) => ({
    isDeny: deny !== undefined,
    ...timeRange(deny ?? allow ?? ''),
    zone: zones.indexOf(zone),
  }))
  return { opened, clocks: zones.map(wallClock) }
}

/**
 * The windows that are in the way at an instant, by their places in the list: those of `deny` that it is inside of, and all of
 * `allow` if it is inside of none. And for how many minutes that stays so, while the clocks go on.
 */
const inTheWay = ({ opened, clocks }: Calendar, at: number): { places: number[]; stays: number } => {
  const walls = clocks.map((clock) => clock(at))
  const wallOf = ({ zone }: Opened): number => walls[zone] ?? at
  const placed = [...opened.entries()]
  const denies = placed.filter(([, one]) => one.isDeny && one.isInside(wallOf(one)))
  const allows = placed.filter(([, one]) => !one.isDeny)
  const isKept = allows.length > 0 && !allows.some(([, one]) => one.isInside(wallOf(one)))
  const lasts = ([, one]: [number, Opened]): number => one.stays(wallOf(one))
  const ofAllows = isKept ? Math.min(...allows.map(lasts)) : 0
  return {
    places: [...denies, ...(isKept ? allows : [])].map(([place]) => place).sort((a, b) => a - b),
    stays: Math.max(...denies.map(lasts), ofAllows),
  }
}

const nextOpening = (calendar: Calendar, after: number): number | undefined => {
  let at = Math.floor(after / minuteMs) * minuteMs
  const end = after + horizonMs
  while (at < end) {
    const { places, stays } = inTheWay(calendar, at)
    if (places.length === 0) return at
    // a jump over a change of the clock may land on the wrong hour, so the last hours of a long way are walked in quarters
    const far = Math.min(stays, dayMs / minuteMs) - 4 * 60
    const minutes = far > 0 ? far : Math.min(stays, quarter - ((at / minuteMs) % quarter))
    at += Math.max(1, Math.floor(minutes)) * minuteMs
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
  const { places } = inTheWay(calendar, Math.floor(+at / minuteMs) * minuteMs)
  if (places.length === 0) return { open: true }
  const opens = nextOpening(calendar, +at)
  return { open: false, places, ...(opens === undefined ? {} : { opensAt: new Date(opens) }) }
}
