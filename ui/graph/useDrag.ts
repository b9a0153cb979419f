import { type PointerEvent, useRef } from 'react'
import type { Stage } from './stage.ts'

/** A pointer that moved less was meant as a click. */
const slack = 4

type Point = { clientX: number; clientY: number }

const between = (a: Point, b: Point): number => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)

/** One pointer moves the graph, two zoom it, and one that stays where it was chooses. */
export const useDrag = (stage: Stage | undefined, select: (stack: number | undefined) => void) => {
  const pointers = useRef(new Map<number, Point>())
  const moved = useRef(0)
  const pointOf = ({ clientX, clientY }: PointerEvent): Point => ({ clientX, clientY })
  return {
    onPointerDown: (event: PointerEvent): void => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      if (pointers.current.size === 0) moved.current = 0
      pointers.current.set(event.pointerId, pointOf(event))
    },
    onPointerMove: (event: PointerEvent): void => {
      const before = pointers.current.get(event.pointerId)
      if (!before || !stage) return
      const now = pointOf(event)
      moved.current += between(before, now)
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
      pointers.current.set(event.pointerId, now)
      if (!other) {
        if (moved.current > slack) stage.pan(now.clientX - before.clientX, now.clientY - before.clientY)
        return
      }
      const middle = { clientX: (now.clientX + other.clientX) / 2, clientY: (now.clientY + other.clientY) / 2 }
      stage.zoomAround(middle, between(now, other) / Math.max(1, between(before, other)))
    },
    onPointerUp: (event: PointerEvent): void => {
      const isClick = pointers.current.size === 1 && moved.current <= slack && event.button === 0
      pointers.current.delete(event.pointerId)
      if (isClick) select(stage?.at(event))
    },
    onPointerCancel: (event: PointerEvent): void => {
      pointers.current.delete(event.pointerId)
    },
  }
}
