import { draw } from './draw.ts'
import { hit } from './hit.ts'
import { placeOf, sizes } from './layers.ts'
import type { Paints, Scene } from './scene.ts'
import { begin, centre, fit, isSeen, pan, type Size, type View, zoomAt } from './view.ts'

export type Stage = {
  show(scene: Scene, paints: Paints): void
  zoom(factor: number): void
  whole(): void
  pan(x: number, y: number): void
  /** Brings a stack into view, if it is not. */
  find(stack: number): void
  /** The stack at a point of the window. */
  at(event: { clientX: number; clientY: number }): number | undefined
  /** Around a point of the window. */
  zoomAround(event: { clientX: number; clientY: number }, factor: number): void
  stop(): void
}

/** A canvas and the part of the graph that it shows: drawn at most once a frame, and only after a change. */
export const createStage = (element: HTMLCanvasElement): Stage => {
  // no alpha: nothing is behind it
  const canvas = element.getContext('2d', { alpha: false })
  let size: Size = { width: 0, height: 0 }
  let shown: { scene: Scene; paints: Paints } | undefined
  let view: View | undefined
  let frame = 0

  const whole = (): View => (shown ? fit(shown.scene.layers, size) : { x: 0, y: 0, scale: 1 })
  const now = (): View => {
    view ??= shown ? begin(shown.scene.layers, size) : whole()
    return view
  }
  const paint = (): void => {
    frame = 0
    if (canvas && shown && size.width > 0) draw(canvas, shown.scene, shown.paints, now(), size)
  }
  const soon = (): void => {
    frame ||= requestAnimationFrame(paint)
  }
  const look = (next: View): void => {
    view = next
    soon()
  }
  const measure = (): void => {
    const { clientWidth: width, clientHeight: height } = element
    if (width === size.width && height === size.height) return
    const wasNew = size.width === 0
    size = { width, height }
    element.width = Math.round(width * devicePixelRatio)
    element.height = Math.round(height * devicePixelRatio)
    if (wasNew) view = undefined
    soon()
  }
  const watcher = new ResizeObserver(measure)
  watcher.observe(element)
  const inCanvas = ({ clientX, clientY }: { clientX: number; clientY: number }): { x: number; y: number } => {
    const { left, top } = element.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const zoom = (at: { x: number; y: number }, factor: number): void => look(zoomAt(now(), at, factor, whole().scale))
  return {
    show: (scene, paints) => {
      if (shown?.scene.layers !== scene.layers) view = undefined
      shown = { scene, paints }
      measure()
      soon()
    },
    zoom: (factor) => zoom({ x: size.width / 2, y: size.height / 2 }, factor),
    zoomAround: (event, factor) => zoom(inCanvas(event), factor),
    whole: () => look(whole()),
    pan: (x, y) => shown && look(pan(now(), { x, y }, shown.scene.layers, size)),
    find: (stack) => {
      const place = shown && placeOf(shown.scene.layers, stack)
      if (!place || size.width === 0) return
      const box = { width: sizes.lane, height: sizes.row }
      if (!isSeen(now(), place, box, size))
        look(centre(now(), { x: place.x + sizes.lane / 2, y: place.y + sizes.row / 2 }, size))
    },
    at: (event) => shown && hit(shown.scene.layers, now(), inCanvas(event)),
    stop: () => {
      cancelAnimationFrame(frame)
      watcher.disconnect()
    },
  }
}
