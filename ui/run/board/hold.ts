import type { Layout } from './layout.ts'

/**
 * Whether a new layout may be shown at once: what the pointer or the focus is on never moves by itself. A board of another width is
 * another board, and whoever made it so knows.
 */
export const mayFollow = (shown: Layout, next: Layout, anchors: readonly (string | undefined)[]): boolean => {
  if (shown.cardWidth !== next.cardWidth || shown.waves.length === 0) return true
  return anchors.every((key) => {
    const before = key === undefined ? undefined : shown.places.get(key)
    const after = key === undefined ? undefined : next.places.get(key)
    return before === undefined || (before.x === after?.x && before.y === after.y)
  })
}

/** Stacks that the new layout has and the shown one does not. */
export const newIn = (shown: Layout, next: Layout): number => {
  let count = 0
  for (const key of next.places.keys()) if (!shown.places.has(key)) count += 1
  return count
}

/** Whether two layouts look the same. */
export const isSameLayout = (a: Layout, b: Layout): boolean =>
  a.cardWidth === b.cardWidth &&
  a.width === b.width &&
  a.height === b.height &&
  a.places.size === b.places.size &&
  a.waves.length === b.waves.length &&
  [...a.places].every(([key, { x, y }]) => {
    const other = b.places.get(key)
    return other?.x === x && other.y === y
  })
