import type { SplitWave } from './split.ts'

/** All in pixels. A card has room for three lines. */
export const sizes = {
  card: 76,
  gap: 8,
  head: 50,
  cell: 10,
  cellStep: 12,
  least: 224,
  most: 400,
  wave: 44,
  laneGap: 12,
  strip: 10,
} as const

/** A column of more cards than this is split in two, where there is room beside it. */
const tallFrom = 8

/** Where a stack is. `column` is that within the wave, `at` its place in the wave's order. */
export type Place = { key: string; wave: number; column: number; at: number; x: number; y: number; isCell: boolean }

export type WaveBox = { wave: number; x: number; y: number; width: number; height: number; places: readonly Place[] }

export type Layout = {
  width: number
  height: number
  /** Of each card. */
  cardWidth: number
  waves: readonly WaveBox[]
  places: ReadonlyMap<string, Place>
}

type Room = {
  width: number
  /** By which columns are split: the width with the panel beside the board, or opening it would move what was clicked on. */
  steadyWidth: number
  /** Waves stand below each other. */
  isNarrow: boolean
}

/** Puts every stack of a run in its place. Waves are columns from left to right, in one or more lanes each. */
export const layOut = (waves: readonly SplitWave[], room: Room): Layout => {
  const lanes = room.isNarrow ? waves.map(() => 1) : lanesOf(waves, room.steadyWidth)
  const cardWidth = room.isNarrow ? room.width : cardWidthOf(lanes, room.width)
  const boxes: WaveBox[] = []
  let [x, y] = [0, 0]
  for (const [i, wave] of waves.entries()) {
    const count = lanes[i] ?? 1
    const width = count * cardWidth + (count - 1) * sizes.laneGap
    const { places, bottom } = placesIn(wave, { x, y: y + sizes.head, width, lanes: count, cardWidth })
    boxes.push({ wave: wave.wave, x, y, width, height: bottom - y, places })
    if (room.isNarrow) y = bottom + sizes.strip
    else x += width + sizes.wave
  }
  return {
    width: Math.max(0, ...boxes.map((box) => box.x + box.width)),
    height: Math.max(0, ...boxes.map((box) => box.y + box.height)),
    cardWidth,
    waves: boxes,
    places: new Map(boxes.flatMap(({ places }) => places.map((place) => [place.key, place]))),
  }
}

const gapsOf = (lanes: readonly number[]): number =>
  lanes.reduce((sum, count) => sum + (count - 1) * sizes.laneGap, (lanes.length - 1) * sizes.wave)

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

/** A lane more for the tallest wave, as long as it is tall and there is room. */
const lanesOf = (waves: readonly SplitWave[], width: number): number[] => {
  const lanes = waves.map(() => 1)
  const heightOf = (i: number): number => Math.ceil((waves[i]?.cards.length ?? 0) / (lanes[i] ?? 1))
  const fits = (): boolean => (sum(lanes) + 1) * sizes.least + gapsOf(lanes) + sizes.laneGap <= width
  while (fits()) {
    const tallest = lanes.reduce((most, _, i) => (heightOf(i) > heightOf(most) ? i : most), 0)
    if (heightOf(tallest) <= tallFrom) break
    lanes[tallest] = (lanes[tallest] ?? 1) + 1
  }
  return lanes
}

const cardWidthOf = (lanes: readonly number[], width: number): number => {
  const each = Math.floor((width - gapsOf(lanes)) / Math.max(1, sum(lanes)))
  return Math.max(sizes.least, Math.min(each, sizes.most))
}

type Area = { x: number; y: number; width: number; lanes: number; cardWidth: number }

const placesIn = ({ wave, cards, cells }: SplitWave, area: Area): { places: Place[]; bottom: number } => {
  const perLane = Math.ceil(cards.length / area.lanes)
  const step = sizes.card + sizes.gap
  const whole = cards.map((key, at): Place => {
    const column = perLane === 0 ? 0 : Math.floor(at / perLane)
    const x = area.x + column * (area.cardWidth + sizes.laneGap)
    return { key, wave, column, at, x, y: area.y + (at - column * perLane) * step, isCell: false }
  })
  const below = area.y + perLane * step
  const top = below + (cells.length > 0 && cards.length > 0 ? sizes.strip : 0)
  const perRow = Math.max(1, Math.floor((area.width + sizes.cellStep - sizes.cell) / sizes.cellStep))
  const small = cells.map((key, at): Place => {
    const [column, row] = [at % perRow, Math.floor(at / perRow)]
    const [x, y] = [area.x + column * sizes.cellStep, top + row * sizes.cellStep]
    return { key, wave, column, at: cards.length + at, x, y, isCell: true }
  })
  const rows = Math.ceil(cells.length / perRow)
  return { places: [...whole, ...small], bottom: cells.length === 0 ? below : top + rows * sizes.cellStep + sizes.gap }
}
