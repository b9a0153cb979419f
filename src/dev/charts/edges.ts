import type { Description } from '#machines/describe.ts'
import type { Box, Boxes } from './boxes.ts'

/** A way from one state to another, with the events that take a machine there, as a line and the head of an arrow. */
export type Edge = { from: string; to: string; events: string[]; line: string; head: string }

type Point = { x: number; y: number }

/** The two ways between a pair of states are drawn side by side, not on each other. */
const apart = 7
const headLength = 8

const middle = ({ x, y, width, height }: Box): Point => ({ x: x + width / 2, y: y + height / 2 })

const arrow = ({ x, y }: Point, [dx, dy]: readonly [number, number]): string => {
  const back = { x: x - dx * headLength, y: y - dy * headLength }
  return `M${x} ${y}L${back.x + dy * 4} ${back.y + dx * 4}L${back.x - dy * 4} ${back.y - dx * 4}Z`
}

/** From side to side, in a curve that leaves and arrives level. */
const across = (from: Box, to: Box): Pick<Edge, 'line' | 'head'> => {
  const way = from.x < to.x ? 1 : -1
  const start = { x: way > 0 ? from.x + from.width : from.x, y: middle(from).y - way * apart }
  const end = { x: way > 0 ? to.x : to.x + to.width, y: middle(to).y - way * apart }
  const [stop, bend] = [end.x - way * headLength, Math.max(30, Math.abs(end.x - start.x) / 2)]
  return {
    line: `M${start.x} ${start.y}C${start.x + way * bend} ${start.y} ${stop - way * bend} ${end.y} ${stop} ${end.y}`,
    head: arrow(end, [way, 0]),
  }
}

/** To the next one of a column straight up or down. */
const straight = (from: Box, to: Box): Pick<Edge, 'line' | 'head'> => {
  const way = from.y < to.y ? 1 : -1
  const x = middle(from).x + way * apart * 2
  const [start, end] = way > 0 ? [from.y + from.height, to.y] : [from.y, to.y + to.height]
  return { line: `M${x} ${start}L${x} ${end - way * headLength}`, head: arrow({ x, y: end }, [0, way]) }
}

/** To a box further away in the same column, around those in between on the right: the further, the wider. */
const around = (from: Box, to: Box): Pick<Edge, 'line' | 'head'> => {
  const way = from.y < to.y ? 1 : -1
  const x = from.x + from.width
  const bow = Math.round(14 + Math.abs(to.y - from.y) / 7)
  const [start, end] = [middle(from).y + way * apart, middle(to).y - way * apart]
  return {
    line: `M${x} ${start}C${x + bow} ${start} ${x + bow} ${end} ${x + headLength} ${end}`,
    head: arrow({ x, y: end }, [-1, 0]),
  }
}

const isNext = (from: Box, to: Box, all: Box[]): boolean =>
  !all.some(({ x, y }) => x === from.x && y > Math.min(from.y, to.y) && y < Math.max(from.y, to.y))

const drawn = (from: Box, to: Box, all: Box[]): Pick<Edge, 'line' | 'head'> => {
  if (middle(from).x !== middle(to).x) return across(from, to)
  return isNext(from, to, all) ? straight(from, to) : around(from, to)
}

/** Entering an outer state is entering the one that it begins with. */
const innerOf = (name: string, states: Description['states']): string => {
  const initial = states.find((state) => state.name === name)?.initial
  return initial === undefined ? name : innerOf(`${name}.${initial}`, states)
}

/** One arrow from state to state, for all events that lead along it. An event that changes no state has none. */
export const edgesOf = ({ states }: Description, { states: boxes, groups }: Boxes): Edge[] => {
  const box = (name: string): Box => {
    const found = [...boxes, ...groups].find((one) => one.name === name)
    if (!found) throw new Error(`there is no box of ${name}`)
    return found
  }
  const events = new Map<string, { from: string; to: string; events: Set<string> }>()
  for (const { name: from, on } of states) {
    for (const { event, target } of on) {
      const to = target === undefined ? from : innerOf(target, states)
      if (to === from) continue
      const edge = events.get(`${from} ${to}`) ?? { from, to, events: new Set() }
      events.set(`${from} ${to}`, { ...edge, events: edge.events.add(event) })
    }
  }
  return [...events.values()].map(({ from, to, events }) => ({
    ...{ from, to, events: [...events] },
    ...drawn(box(from), box(to), boxes),
  }))
}
