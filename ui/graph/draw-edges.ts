import type { Line } from './ends.ts'
import { placeOf, sizes } from './layers.ts'
import type { Paints, Scene } from './scene.ts'
import { levelOf, type View } from './view.ts'

type Canvas = CanvasRenderingContext2D

/** From far off the lines say how much goes where, not which: some of them say that too. */
const mostOfAll = 2500

/** Of 10,000 edges every fourth is drawn, straight, as one path. */
export const drawFewEdges = (canvas: Canvas, { graph, layers }: Scene, paints: Paints): void => {
  const every = Math.ceil(graph.edges.length / mostOfAll)
  canvas.beginPath()
  for (let at = 0; at < graph.edges.length; at += every) {
    const [from, to] = graph.edges[at] ?? [0, 0]
    const [end, start] = [placeOf(layers, from), placeOf(layers, to)]
    if (!start || !end) continue
    canvas.moveTo(start.x + sizes.lane, start.y + sizes.row / 2)
    canvas.lineTo(end.x, end.y + sizes.row / 2)
  }
  canvas.strokeStyle = paints.line
  canvas.lineWidth = 2
  canvas.globalAlpha = 0.5
  canvas.stroke()
  canvas.globalAlpha = 1
}

/** More lines are a blot. */
const mostChosen = 3000

const kinds: { of: (line: Line) => boolean; color: 'control' | 'accent'; dash: number[]; width: number }[] = [
  { of: ({ step }) => step > 0, color: 'control', dash: [], width: 1 },
  { of: ({ direction, step }) => direction === 'needs' && step === 0, color: 'control', dash: [5, 4], width: 1.5 },
  { of: ({ direction, step }) => direction === 'needed' && step === 0, color: 'accent', dash: [], width: 2 },
]

/** Those of the chosen stack: dashed to what it needs, blue to what needs it, grey further on. */
export const drawChosenEdges = (canvas: Canvas, scene: Scene, paints: Paints, view: View): void => {
  const lines = scene.reached?.lines.slice(0, mostChosen) ?? []
  // as thick from far off as from near
  const far = levelOf(view) === 'near' ? 1 : 1 / view.scale
  for (const { of, color, dash, width } of kinds) {
    canvas.beginPath()
    for (const line of lines) if (of(line)) addLine(canvas, scene, line)
    canvas.strokeStyle = paints[color]
    canvas.lineWidth = width * far
    canvas.setLineDash(dash.map((part) => part * far))
    canvas.stroke()
  }
  canvas.setLineDash([])
}

/** From the right edge of what is needed to the left edge of what needs it, level at both ends. */
const addLine = (canvas: Canvas, { layers }: Scene, { from, to, direction }: Line): void => {
  const [needed, needing] = direction === 'needs' ? [to, from] : [from, to]
  const [start, end] = [placeOf(layers, needed), placeOf(layers, needing)]
  if (!start || !end) return
  const [x1, y1] = [start.x + sizes.lane, start.y + sizes.row / 2]
  const [x2, y2] = [end.x, end.y + sizes.row / 2]
  const bend = Math.max(14, Math.min(60, Math.abs(x2 - x1) / 2))
  canvas.moveTo(x1, y1)
  canvas.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2)
}
