import { type RefObject, useLayoutEffect, useState } from 'react'
import type { View } from './in-view.ts'

export type Room = { width: number; view: View }

/** The padding of the frame (board.css). */
const ringRoom = 4

/** Scrolling this far draws anew: less often than there are frames, and well within what is drawn beyond the edges. */
const step = 100

const rounded = (pixels: number): number => Math.round(pixels / step) * step

/** How wide the board may be, and which part of it is seen, as the page and the board are scrolled. */
export const useRoom = (frame: RefObject<HTMLElement | null>): Room => {
  const [room, setRoom] = useState<Room>({ width: 0, view: { left: 0, right: 0, top: 0, bottom: 0 } })
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const look = (): void => {
      const { scrollLeft } = element
      // without its padding, which is where rings are drawn
      const width = element.clientWidth - 2 * ringRoom
      const top = rounded(-element.getBoundingClientRect().top)
      const left = rounded(scrollLeft)
      const view = { left, right: left + width, top, bottom: top + innerHeight }
      setRoom((was) =>
        was.width === width && Object.entries(view).every(([side, at]) => was.view[side as keyof View] === at)
          ? was
          : { width, view },
      )
    }
    look()
    const sizes = new ResizeObserver(look)
    sizes.observe(element)
    sizes.observe(document.body)
    addEventListener('scroll', look, { passive: true })
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      removeEventListener('scroll', look)
      element.removeEventListener('scroll', look)
    }
  }, [frame])
  return room
}
