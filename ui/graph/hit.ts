import { type Lane, type Layers, sizes } from './layers.ts'
import type { Size, View } from './view.ts'

/** The stack at a point of the canvas; undefined beside all. */
export const hit = ({ lanes }: Layers, view: View, at: { x: number; y: number }): number | undefined => {
  const x = view.x + at.x / view.scale
  const y = view.y + at.y / view.scale - sizes.head
  const lane = lanes.findLast((one) => one.x <= x)
  if (lane === undefined || x > lane.x + sizes.lane || y < 0) return undefined
  const stack = lane.rows[Math.floor(y / sizes.row)]
  return stack === undefined || stack < 0 ? undefined : stack
}

/** The columns in view, with the rows of them that are. */
export const seen = ({ lanes }: Layers, view: View, canvas: Size): { lane: Lane; from: number; to: number }[] => {
  const right = view.x + canvas.width / view.scale
  const from = Math.max(0, Math.floor((view.y - sizes.head) / sizes.row))
  const to = Math.ceil((view.y + canvas.height / view.scale - sizes.head) / sizes.row)
  return lanes
    .filter(({ x }) => x <= right && x + sizes.lane >= view.x)
    .map((lane) => ({ lane, from, to: Math.min(lane.rows.length, to) }))
}

/** The next stack below or above, or beside it in the wave before or after; the same where there is none. */
export const stepFrom = (layers: Layers, stack: number, by: 'down' | 'up' | 'left' | 'right'): number => {
  const [at, row] = [layers.laneOf[stack] ?? -1, layers.rowOf[stack] ?? 0]
  const lane = layers.lanes[at]
  if (!lane) return stack
  if (by === 'down' || by === 'up') {
    const step = by === 'down' ? 1 : -1
    for (let next = row + step; next >= 0 && next < lane.rows.length; next += step) {
      const found = lane.rows[next]
      if (found !== undefined && found >= 0) return found
    }
    return stack
  }
  const step = by === 'right' ? 1 : -1
  for (let next = at + step; layers.lanes[next]; next += step) {
    const other = layers.lanes[next]
    if (other && other.wave !== lane.wave) return nearest(other, row) ?? stack
  }
  return stack
}

const nearest = ({ rows }: Lane, row: number): number | undefined =>
  [...rows.entries()]
    .filter(([, stack]) => stack >= 0)
    .sort(([a], [b]) => Math.abs(a - row) - Math.abs(b - row))[0]?.[1]
