import { type Layout, type Place, sizes } from './layout.ts'

/** The lines of the selected card, as the `d` of an SVG path each; an empty one draws nothing. */
export type EdgePaths = {
  /** From what it needs. */
  needs: string
  /** To what comes after it: that which it blocks, and the rest. */
  blocks: string
  before: string
}

type Selected = { key: string; needs: readonly string[]; dependents: readonly string[]; blocked: ReadonlySet<string> }

/** Lines only go to stacks that are on the board. */
export const edgePaths = (layout: Layout, { key, needs, dependents, blocked }: Selected): EdgePaths => {
  const own = layout.places.get(key)
  const to = (keys: readonly string[], line: (place: Place) => string): string =>
    keys
      .flatMap((other) => layout.places.get(other) ?? [])
      .map(line)
      .join('')
  if (!own) return { needs: '', blocks: '', before: '' }
  const after = (place: Place): string => curve(layout, own, place)
  return {
    needs: to(needs, (place) => curve(layout, place, own)),
    blocks: to(
      dependents.filter((other) => blocked.has(other)),
      after,
    ),
    before: to(
      dependents.filter((other) => !blocked.has(other)),
      after,
    ),
  }
}

/** From the right edge of one to the left edge of the other, level at both ends. */
const curve = ({ cardWidth }: Layout, a: Place, b: Place): string => {
  const width = a.isCell ? sizes.cell : cardWidth
  const middle = (place: Place): number => place.y + (place.isCell ? sizes.cell : sizes.card) / 2
  const [x1, x2] = [a.x + width, b.x]
  const bend = Math.max(16, Math.min((x2 - x1) / 2, sizes.wave / 2 + 8))
  return `M${x1} ${middle(a)}C${x1 + bend} ${middle(a)} ${x2 - bend} ${middle(b)} ${x2} ${middle(b)}`
}
