/**
 * Draws the icons of the status table on a canvas: from hidden SVG drawings of them, so there is one table of icons. Of each
 * shape the attributes are read that the icons use.
 */
export type Painter = (canvas: CanvasRenderingContext2D, x: number, y: number, size: number) => void

type Shape = { path: Path2D; isFilled: boolean; isCut: boolean; width: number; dash: number[]; alpha: number }

const number = (element: Element, name: string): number => Number(element.getAttribute(name) ?? 0)

const pathOf = (element: Element): Path2D => {
  if (element.tagName === 'path') return new Path2D(element.getAttribute('d') ?? '')
  const path = new Path2D()
  if (element.tagName === 'circle') {
    path.arc(number(element, 'cx'), number(element, 'cy'), number(element, 'r'), 0, 2 * Math.PI)
  } else {
    const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((name) => number(element, name))
    path.roundRect(x ?? 0, y ?? 0, width ?? 0, height ?? 0, number(element, 'rx'))
  }
  return path
}

const shapeOf = (element: Element): Shape => ({
  path: pathOf(element),
  isFilled: element.getAttribute('fill') === 'currentColor',
  isCut: element.classList.contains('icon-cut'),
  width: number(element, 'stroke-width') || 1,
  dash: (element.getAttribute('stroke-dasharray') ?? '').split(' ').filter(Boolean).map(Number),
  alpha: Number(element.getAttribute('stroke-opacity') ?? 1),
})

/** `paper` is the colour of what is cut out of a filled shape. */
export const painterOf = (svg: Element, tone: string, paper: string): Painter => {
  const shapes = [...svg.querySelectorAll('path, circle, rect')].map(shapeOf)
  return (canvas, x, y, size) => {
    canvas.save()
    canvas.translate(x, y)
    canvas.scale(size / 16, size / 16)
    canvas.lineCap = 'round'
    canvas.lineJoin = 'round'
    for (const { path, isFilled, isCut, width, dash, alpha } of shapes) {
      if (isFilled) {
        canvas.fillStyle = tone
        canvas.fill(path)
        continue
      }
      canvas.save()
      canvas.globalAlpha *= alpha
      canvas.setLineDash(dash)
      canvas.strokeStyle = isCut ? paper : tone
      canvas.lineWidth = width
      canvas.stroke(path)
      canvas.restore()
    }
    canvas.restore()
  }
}
