import type { CompactGraph } from '../api/graph.ts'

/** All in pixels of a graph at its own size. */
export const sizes = { row: 24, lane: 190, laneGap: 10, waveGap: 34, head: 6 } as const

/** A column of a wave: in each row a stack, or a heading, or nothing (-1). */
export type Lane = { x: number; wave: number; rows: Int32Array; headings: readonly { row: number; text: string }[] }

export type WaveBox = { wave: number; x: number; width: number; count: number }

export type Layers = {
  lanes: readonly Lane[]
  waves: readonly WaveBox[]
  /** By stack; -1 for what is in no wave. */
  laneOf: Int32Array
  rowOf: Int32Array
  width: number
  height: number
}

/** Wider than it is high, as a window is. */
const aspect = 1.5

/** A wave of few stacks is one column. */
const leastRows = 28

/** How many rows a column has: so many that all of it has the form of a window. */
const rowsOf = (count: number): number =>
  Math.max(leastRows, Math.ceil(Math.sqrt((count * (sizes.lane + sizes.laneGap)) / (aspect * sizes.row))))

/** `data/` of `data/database:eu`; a stack at the root is in no directory. */
export const directoryOf = (key: string): string => key.slice(0, key.lastIndexOf('/', key.search(/:|$/)) + 1)

const byKey =
  (keys: readonly string[]) =>
  (a: number, b: number): number => {
    const [one = '', other = ''] = [keys[a], keys[b]]
    const [here, there] = [directoryOf(one), directoryOf(other)]
    if (here !== there) return here < there ? -1 : 1
    return one < other ? -1 : 1
  }

/** A stack, or a directory's name above its stacks. */
type Item = { stack: number } | { text: string }

/** Above this a heading for each directory would be as many rows as the stacks. */
const headingsUpTo = 20_000

const itemsOf = (keys: readonly string[], wave: readonly number[], hasHeadings: boolean): Item[] => {
  let last: string | undefined
  return wave.toSorted(byKey(keys)).flatMap((stack): Item[] => {
    const text = directoryOf(keys[stack] ?? '')
    const isNew = text !== last && hasHeadings && text !== ''
    last = text
    return isNew ? [{ text }, { stack }] : [{ stack }]
  })
}

const laneWith = (items: readonly Item[], x: number, wave: number): Lane => ({
  ...{ x, wave },
  rows: Int32Array.from(items, (item) => ('stack' in item ? item.stack : -1)),
  headings: items.flatMap((item, row) => ('text' in item ? [{ row, text: item.text }] : [])),
})

/**
 * Puts each stack in its place: waves from left to right, in each the stacks by directory. Yields after each wave, so that whoever
 * drives it can let the page breathe.
 */
export function* layOut({ keys, waves }: CompactGraph): Generator<undefined, Layers> {
  const count = waves.reduce((sum, { length }) => sum + length, 0)
  const most = rowsOf(count)
  const lanes: Lane[] = []
  const boxes: WaveBox[] = []
  const [laneOf, rowOf] = [new Int32Array(keys.length).fill(-1), new Int32Array(keys.length).fill(-1)]
  let x = 0
  for (const [wave, stacks] of waves.entries()) {
    const first = x
    const items = itemsOf(keys, stacks, count <= headingsUpTo)
    for (let from = 0; from < items.length; from += most) {
      const lane = laneWith(items.slice(from, from + most), x, wave)
      for (const [row, stack] of lane.rows.entries()) {
        if (stack < 0) continue
        laneOf[stack] = lanes.length
        rowOf[stack] = row
      }
      lanes.push(lane)
      x += sizes.lane + sizes.laneGap
    }
    boxes.push({ wave, x: first, width: x - sizes.laneGap - first, count: stacks.length })
    x += sizes.waveGap
    yield
  }
  const rows = lanes.reduce((longest, lane) => Math.max(longest, lane.rows.length), 0)
  return {
    ...{ lanes, waves: boxes, laneOf, rowOf, height: sizes.head + rows * sizes.row },
    width: Math.max(0, x - sizes.waveGap - sizes.laneGap),
  }
}

/** Where a stack is; undefined for what is in no wave. */
export const placeOf = (layers: Layers, stack: number): { x: number; y: number } | undefined => {
  const lane = layers.lanes[layers.laneOf[stack] ?? -1]
  return lane && { x: lane.x, y: sizes.head + (layers.rowOf[stack] ?? 0) * sizes.row }
}
