import { type Layout, type Place, sizes, type WaveBox } from './layout.ts'

/** The part of the board that is seen, in its own pixels. */
export type View = { left: number; right: number; top: number; bottom: number }

/** Boards of fewer stacks are drawn whole: a browser's own find then sees all of them. */
const wholeUpTo = 100

/** Beyond the edges, so scrolling shows no gaps. */
const spare = 300

const isSeen = (view: View, x: number, y: number, width: number, height: number): boolean =>
  x + width >= view.left - spare &&
  x <= view.right + spare &&
  y + height >= view.top - spare &&
  y <= view.bottom + spare

/** The waves of which anything is in view, and of each the stacks that are; those in `kept` are drawn wherever they are. */
export const drawnOf = (
  layout: Layout,
  view: View,
  kept: readonly (string | undefined)[],
): { box: WaveBox; places: readonly Place[] }[] =>
  layout.waves.flatMap((box) => {
    if (layout.places.size <= wholeUpTo) return [{ box, places: box.places }]
    const places = box.places.filter(({ key, x, y, isCell }) => {
      const [width, height] = isCell ? [sizes.cell, sizes.cell] : [layout.cardWidth, sizes.card]
      return isSeen(view, x, y, width, height) || kept.includes(key)
    })
    const isHeadSeen = isSeen(view, box.x, box.y, box.width, sizes.head)
    return places.length > 0 || isHeadSeen ? [{ box, places }] : []
  })
