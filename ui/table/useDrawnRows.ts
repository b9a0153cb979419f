import { type RefObject, useEffect, useState } from 'react'
import { drawnRows } from './window.ts'

/** Tables of fewer rows are drawn whole: a browser's own find then sees all of them. */
const wholeUpTo = 100

/** Which rows of a table's body are in view, as the page is scrolled and the window changes its size. */
export const useDrawnRows = (
  body: RefObject<HTMLElement | null>,
  count: number,
): { from: number; to: number; row: number } => {
  const [drawn, setDrawn] = useState({ from: 0, to: Math.min(count, wholeUpTo), row: 32 })
  useEffect(() => {
    const look = (): void => {
      if (!body.current) return
      const row = Number.parseFloat(getComputedStyle(body.current).getPropertyValue('--row')) || 32
      const { top } = body.current.getBoundingClientRect()
      const next = count <= wholeUpTo ? { from: 0, to: count } : drawnRows({ top, height: innerHeight, row }, count)
      setDrawn((was) => (was.from === next.from && was.to === next.to && was.row === row ? was : { ...next, row }))
    }
    look()
    if (count <= wholeUpTo) return
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [body, count])
  return drawn
}
