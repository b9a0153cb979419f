/** Where the rows are, and how much of the window they are seen through. All in pixels; `top` is below zero once they are scrolled. */
export type View = { top: number; height: number; row: number }

/** Rows beyond the edge that are drawn too, so scrolling shows no gaps. */
const spare = 8

/** The first row that is drawn, and the one behind the last. */
export const drawnRows = ({ top, height, row }: View, count: number): { from: number; to: number } => {
  const first = Math.floor(-top / row) - spare
  const last = Math.ceil((height - top) / row) + spare
  const from = Math.max(0, Math.min(first, count))
  return { from, to: Math.max(from, Math.min(last, count)) }
}
