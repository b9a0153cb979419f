import { drawChosenEdges, drawFewEdges } from './draw-edges.ts'
import { seen } from './hit.ts'
import { type Lane, sizes } from './layers.ts'
import { isQuiet, type Paints, type Scene } from './scene.ts'
import { type Level, levelOf, type Size, type View } from './view.ts'

type Canvas = CanvasRenderingContext2D

/** Draws what is in view, as finely as can be seen from so far. */
export const draw = (canvas: Canvas, scene: Scene, paints: Paints, view: View, size: Size): void => {
  const ratio = devicePixelRatio
  canvas.setTransform(ratio, 0, 0, ratio, 0, 0)
  canvas.fillStyle = paints.paper
  canvas.fillRect(0, 0, size.width, size.height)
  canvas.setTransform(
    ratio * view.scale,
    0,
    0,
    ratio * view.scale,
    -view.x * view.scale * ratio,
    -view.y * view.scale * ratio,
  )
  const level = levelOf(view)
  if (scene.selected === undefined && level === 'far') drawFewEdges(canvas, scene, paints)
  if (scene.selected !== undefined) drawChosenEdges(canvas, scene, paints, view)
  for (const { lane, from, to } of seen(scene.layers, view, size)) {
    if (level === 'near') drawNear(canvas, scene, paints, lane, from, to)
    else drawBoxes(canvas, scene, paints, { lane, from, to, step: stepOf(level, view) })
  }
  drawWaves(canvas, scene, paints, view, size)
}

/** Rows less than a pixel high are drawn several at once. */
const stepOf = (level: Level, { scale }: View): number =>
  level === 'middle' ? 1 : Math.max(1, Math.ceil(1.5 / (sizes.row * scale)))

type Rows = { lane: Lane; from: number; to: number; step: number }

const quietAlpha = 0.28

const drawBoxes = (canvas: Canvas, scene: Scene, paints: Paints, { lane, from, to, step }: Rows): void => {
  for (let row = from - (from % step); row < to; row += step) {
    const stack = loudest(scene, lane, row, row + step)
    if (stack < 0) continue
    canvas.globalAlpha = isQuiet(scene, stack) ? quietAlpha : 1
    canvas.fillStyle = paints.tones[scene.standings[stack] ?? 'new']
    canvas.fillRect(lane.x, sizes.head + row * sizes.row + 2, sizes.lane, sizes.row * step - 4)
    if (stack === scene.selected) {
      canvas.strokeStyle = paints.accent
      canvas.lineWidth = 10
      canvas.strokeRect(lane.x - 8, sizes.head + row * sizes.row - 6, sizes.lane + 16, sizes.row * step + 12)
    }
  }
  canvas.globalAlpha = 1
}

/** Of several rows the one that must not be lost: what is chosen, or else what the filters leave. */
const loudest = (scene: Scene, { rows }: Lane, from: number, to: number): number => {
  let found = -1
  for (let row = from; row < to; row += 1) {
    const stack = rows[row] ?? -1
    if (stack < 0) continue
    if (stack === scene.selected) return stack
    if (found < 0 || (isQuiet(scene, found) && !isQuiet(scene, stack))) found = stack
  }
  return found
}

const drawNear = (canvas: Canvas, scene: Scene, paints: Paints, lane: Lane, from: number, to: number): void => {
  canvas.textBaseline = 'middle'
  canvas.font = `600 11px ${paints.font}`
  canvas.fillStyle = paints.quiet
  for (const { row, text } of lane.headings) {
    if (row >= from && row < to)
      canvas.fillText(shortened(text), lane.x + 8, sizes.head + (row + 0.6) * sizes.row, sizes.lane - 12)
  }
  for (let row = from; row < to; row += 1) {
    const stack = lane.rows[row] ?? -1
    if (stack >= 0) drawStack(canvas, scene, paints, stack, lane.x, sizes.head + row * sizes.row)
  }
  canvas.globalAlpha = 1
}

const drawStack = (canvas: Canvas, scene: Scene, paints: Paints, stack: number, x: number, y: number): void => {
  const isSelected = stack === scene.selected
  const isReached = scene.reached?.nodes.has(stack) ?? false
  canvas.globalAlpha = isQuiet(scene, stack) ? 0.45 : 1
  if (isSelected || isReached) {
    canvas.beginPath()
    canvas.roundRect(x, y + 1.5, sizes.lane, sizes.row - 3, 5)
    canvas.fillStyle = isSelected ? paints.selected : paints.paper
    canvas.fill()
    canvas.strokeStyle = isSelected ? paints.accent : paints.control
    canvas.lineWidth = isSelected ? 2 : 1
    canvas.stroke()
  }
  paints.icons[scene.standings[stack] ?? 'new']?.(canvas, x + 8, y + sizes.row / 2 - 7, 14)
  canvas.font = `${isSelected || isReached ? 600 : 400} 12.5px ${paints.font}`
  canvas.fillStyle = isSelected || isReached ? paints.text : paints.quiet
  const key = scene.graph.keys[stack] ?? ''
  canvas.fillText(
    shortened(key.slice(key.lastIndexOf('/', key.search(/:|$/)) + 1)),
    x + 28,
    y + sizes.row / 2 + 0.5,
    sizes.lane - 34,
  )
}

const shortened = (text: string): string => (text.length > 26 ? `${text.slice(0, 12)}…${text.slice(-13)}` : text)

/** The names of the waves stay at the top, in letters of one size. */
const drawWaves = (canvas: Canvas, { layers }: Scene, paints: Paints, view: View, size: Size): void => {
  const ratio = devicePixelRatio
  canvas.setTransform(ratio, 0, 0, ratio, 0, 0)
  canvas.textBaseline = 'middle'
  canvas.fillStyle = paints.paper
  canvas.globalAlpha = 0.92
  canvas.fillRect(0, 0, size.width, 28)
  canvas.globalAlpha = 1
  let free = Number.NEGATIVE_INFINITY
  for (const { wave, x, width, count } of layers.waves) {
    const end = (x + width - view.x) * view.scale
    const left = Math.max((x - view.x) * view.scale + 4, Math.min(8, end - 60), free)
    if (end < 0 || left > size.width || left > end - 8) continue
    canvas.font = `650 12.5px ${paints.font}`
    canvas.fillStyle = paints.text
    const name = end - left > 52 ? `Wave ${wave + 1}` : `${wave + 1}`
    canvas.fillText(name, left, 14)
    const used = canvas.measureText(name).width
    free = left + used + 8
    if (end - left < used + 70) continue
    canvas.font = `400 12px ${paints.font}`
    canvas.fillStyle = paints.quiet
    canvas.fillText(`${count} ${count === 1 ? 'stack' : 'stacks'}`, left + used + 8, 14)
    free = left + used + 80
  }
}
