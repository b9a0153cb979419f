import type { Description } from '#machines/describe.ts'
import { places } from './places.ts'

/** A state as it is drawn: its full name, and where its box is. */
export type Box = { name: string; x: number; y: number; width: number; height: number }

export type Boxes = { width: number; height: number; states: Box[]; groups: Box[] }

const size = { width: 142, height: 46 }
const pitch = { x: 236, y: 62 }
const edge = 14
/** Room on the right, where ways within a column go around the boxes between them. */
const bows = 30
/** Around the inner states of an outer one, whose name stands at the top. */
const around = { side: 16, top: 26, bottom: 14 }

const boxOf = (name: string, [column, row]: readonly [number, number]): Box => ({
  ...size,
  name,
  x: edge + around.side + column * pitch.x,
  // whole numbers: halves of a pixel would be blurred
  y: Math.round(row * pitch.y),
})

const groupOf = (name: string, inner: Box[]): Box => {
  const x = Math.min(...inner.map((box) => box.x)) - around.side
  const y = Math.min(...inner.map((box) => box.y)) - around.top
  const right = Math.max(...inner.map((box) => box.x + box.width)) + around.side
  const bottom = Math.max(...inner.map((box) => box.y + box.height)) + around.bottom
  return { name, x, y, width: right - x, height: bottom - y }
}

/**
 * The boxes of a machine's states, and around them those of their outer states. Throws where a state has no place, or a place
 * no state.
 */
export const boxesOf = ({ kind, states }: Description): Boxes => {
  const leaves = states.filter(({ initial }) => initial === undefined).map(({ name }) => name)
  const made = Object.keys(places[kind]).filter((name) => !leaves.includes(name))
  if (made.length > 0) throw new Error(`src/dev/charts/places.ts has places of no state of ${kind}: ${made.join(', ')}`)
  const drawn = leaves.map((name) => {
    const place = places[kind][name]
    if (!place) throw new Error(`src/dev/charts/places.ts: the state ${name} of ${kind} has no place`)
    return boxOf(name, place)
  })
  const groups = states
    .filter(({ initial }) => initial !== undefined)
    .map(({ name }) =>
      groupOf(
        name,
        drawn.filter((box) => box.name.startsWith(`${name}.`)),
      ),
    )
  const all = [...drawn, ...groups]
  const top = edge - Math.min(...all.map(({ y }) => y))
  const lower = (box: Box): Box => ({ ...box, y: box.y + top })
  return {
    width: Math.max(...all.map(({ x, width }) => x + width)) + edge + bows,
    height: Math.max(...all.map(({ y, height }) => y + height)) + top + edge,
    states: drawn.map(lower),
    groups: groups.map(lower),
  }
}
