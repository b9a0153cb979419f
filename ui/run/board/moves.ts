import type { Layout, Place } from './layout.ts'

export type Direction = 'next' | 'previous' | 'right' | 'left' | 'first' | 'last' | 'page down' | 'page up'

const keys: Record<string, Direction> = {
  ...{ ArrowDown: 'next', ArrowUp: 'previous', ArrowRight: 'right', ArrowLeft: 'left' },
  ...{ Home: 'first', End: 'last', PageDown: 'page down', PageUp: 'page up' },
}

/** What a key means on the board. */
export const directionOf = (key: string): Direction | undefined => keys[key]

const page = 6

/** The stack that a move from one leads to; the same one at the board's edges. */
export const moved = (layout: Layout, from: string, direction: Direction): string => {
  const at = layout.places.get(from)
  const index = layout.waves.findIndex(({ wave }) => wave === at?.wave)
  const wave = layout.waves[index]
  if (!at || !wave) return from
  if (direction === 'right' || direction === 'left') return sideways(layout, index, at, direction === 'right' ? 1 : -1)
  const step = { next: 1, previous: -1, first: -at.at, last: wave.places.length, 'page down': page, 'page up': -page }
  const to = at.at + step[direction]
  // one wave goes on into the next
  if (direction === 'next' && to === wave.places.length) return firstFrom(layout, index + 1, 1)?.places[0]?.key ?? from
  if (direction === 'previous' && to < 0) return firstFrom(layout, index - 1, -1)?.places.at(-1)?.key ?? from
  return wave.places[Math.max(0, Math.min(to, wave.places.length - 1))]?.key ?? from
}

/** To the lane beside it, else to the wave beside it: to whatever is nearest in height. */
const sideways = (layout: Layout, index: number, at: Place, step: 1 | -1): string => {
  const own = layout.waves[index]?.places ?? []
  const lane = own.filter((place) => place.isCell === at.isCell && place.column === at.column + step)
  const beside = nearest(lane, at)
  if (beside && (!at.isCell || beside.y === at.y)) return beside.key
  const places = firstFrom(layout, index + step, step)?.places ?? []
  const edge = Math.max(...places.map((place) => (place.isCell ? 0 : place.column)))
  const entered = places.filter((place) => place.isCell || place.column === (step === 1 ? 0 : edge))
  return nearest(entered, at)?.key ?? at.key
}

/** The wave there, or the next one beyond that has stacks. */
const firstFrom = (layout: Layout, index: number, step: 1 | -1) => {
  for (let i = index; i >= 0 && i < layout.waves.length; i += step) {
    if (layout.waves[i]?.places.length) return layout.waves[i]
  }
  return undefined
}

const nearest = (places: readonly Place[], { y }: Place): Place | undefined => {
  let best: Place | undefined
  for (const place of places) if (!best || Math.abs(place.y - y) < Math.abs(best.y - y)) best = place
  return best
}
