/** Which part of a graph is seen: its point at the top left, and how many pixels one of its own takes. */
export type View = { x: number; y: number; scale: number }

export type Size = { width: number; height: number }

/** Names can be read from here on, and boxes be told from each other. */
const levels = { names: 0.62, boxes: 0.2 } as const

export type Level = 'near' | 'middle' | 'far'

export const levelOf = ({ scale }: View): Level =>
  scale >= levels.names ? 'near' : scale >= levels.boxes ? 'middle' : 'far'

/** At the edge of the canvas; at its top are the names of the waves. */
const [edge, top] = [14, 30]

const most = 2

/** All of it, but no larger than its own size. */
export const fit = (graph: Size, canvas: Size): View => {
  const scale = Math.min(
    1,
    (canvas.width - 2 * edge) / Math.max(1, graph.width),
    (canvas.height - top - edge) / Math.max(1, graph.height),
  )
  return { scale: Math.max(scale, 1e-4), x: -edge / scale, y: -top / scale }
}

/** A graph of this many pixels or fewer begins with its names: the rest of it is near. */
const small = 1400

/** All of it; of a small one in a small window its beginning, so that it can be read. */
export const begin = (graph: Size, canvas: Size): View => {
  const whole = fit(graph, canvas)
  const isReadable = whole.scale >= levels.names || Math.max(graph.width, graph.height) > small
  return isReadable ? whole : { scale: 0.85, x: -edge / 0.85, y: -top / 0.85 }
}

/** The point of the graph below a point of the canvas stays below it. */
export const zoomAt = (view: View, at: { x: number; y: number }, factor: number, least: number): View => {
  const scale = Math.min(most, Math.max(Math.min(least, most), view.scale * factor))
  return { scale, x: view.x + at.x / view.scale - at.x / scale, y: view.y + at.y / view.scale - at.y / scale }
}

/** Moved by pixels of the canvas, but never so far that nothing is left to see. */
export const pan = (view: View, by: { x: number; y: number }, graph: Size, canvas: Size): View => ({
  ...view,
  x: within(view.x - by.x / view.scale, graph.width, canvas.width / view.scale),
  y: within(view.y - by.y / view.scale, graph.height, canvas.height / view.scale),
})

const within = (start: number, size: number, seen: number): number => {
  const rest = Math.min(seen, size) / 4
  return Math.min(size - rest, Math.max(rest - seen, start))
}

/** With a place in the middle, near enough to read it. */
export const centre = (view: View, at: { x: number; y: number }, canvas: Size): View => {
  const scale = Math.max(view.scale, 1)
  return { scale, x: at.x - canvas.width / scale / 2, y: at.y - canvas.height / scale / 2 }
}

/** Whether a box of the graph is in view, whole. */
export const isSeen = ({ x, y, scale }: View, at: { x: number; y: number }, size: Size, canvas: Size): boolean =>
  at.x >= x &&
  at.y >= y &&
  at.x + size.width <= x + canvas.width / scale &&
  at.y + size.height <= y + canvas.height / scale
