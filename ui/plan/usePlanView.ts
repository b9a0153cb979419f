import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Heights, hasHeads, type Layout, layoutOf, sectionAt, sectionOfLine, yOfLine } from './layout.ts'
import type { Plan } from './usePlan.ts'

export type PlanView = {
  body: RefObject<HTMLDivElement | null>
  layout: Layout
  heights: Heights
  /** What of the text is in view, in pixels from its top. */
  top: number
  bottom: number
  /** The section at the top of what is in view. */
  current: number
  /** Shows a line, counted from 0, and opens what it is in. */
  goToLine(line: number): void
  /** Shows a section, open or not, and puts the focus on its head. */
  goToSection(at: number): void
  /** Keeps at the top what is there, while everything opens or folds. */
  holdPlace(): void
  /** Folded from its end, a section would be somewhere above the window. */
  keepInView(at: number): void
}

/** As in plan.css and plan-lines.css, before it is measured. */
const usual: Heights = { head: 32, line: 20, foot: 12 }

/** What is in view is looked at in steps of so many pixels, so not every turn of a wheel draws anything. */
const step = 200

/** Where a plan's lines stand on the page, and which of them are in view. */
export const usePlanView = (plan: Plan): PlanView => {
  const body = useRef<HTMLDivElement>(null)
  const [measured, setMeasured] = useState(usual)
  const { outline, fold, range } = plan
  const heights = useMemo(() => ({ ...measured, head: hasHeads(outline) ? measured.head : 0 }), [measured, outline])
  const layout = useMemo(() => layoutOf(outline, fold, range, heights), [outline, fold, range, heights])
  const [view, setView] = useState({ top: 0, bottom: 1200, current: 0 })

  const look = useCallback((): void => {
    if (!body.current) return
    setMeasured((was) => measure(body.current, was))
    const { top } = body.current.getBoundingClientRect()
    const next = {
      top: Math.floor(-top / step) * step,
      bottom: Math.ceil((innerHeight - top) / step) * step,
      current: sectionAt(layout, stuckAt(body.current) - top + 1),
    }
    setView((was) => (was.top === next.top && was.bottom === next.bottom && was.current === next.current ? was : next))
  }, [layout])
  useEffect(() => {
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [look])

  const goal = useGoal(body, layout, heights)
  const goToLine = (line: number): void => {
    const at = sectionOfLine(outline.sections, line)
    const placed = layout.placed[at]
    if (placed && !placed.isOpen) plan.open(placed.section)
    goal({ line })
  }
  useFirstLine(range?.first, goal)
  return {
    ...{ body, layout, heights, ...view, goToLine },
    goToSection: (section) => goal({ section }),
    holdPlace: () => {
      const top = body.current?.getBoundingClientRect().top ?? 0
      if (top < 0) goal({ held: view.current, layout })
    },
    keepInView: (section) => {
      const top = body.current?.getBoundingClientRect().top ?? 0
      if (top + (layout.placed[section]?.top ?? 0) < pixels(body.current, '--plan-stuck')) goal({ section })
    },
  }
}

/** `held`: once the sections are laid out again. */
type Goal = { line: number } | { section: number } | { held: number; layout: Layout }

/** Scrolls to where somebody wants to be, once it is laid out: a section that was just opened is not yet. */
const useGoal = (body: RefObject<HTMLElement | null>, layout: Layout, heights: Heights) => {
  const wanted = useRef<Goal>(undefined)
  const [, askAgain] = useState(0)
  useLayoutEffect(() => {
    const goal = wanted.current
    if (!goal || !body.current) return
    const sections = layout.placed.map(({ section }) => section)
    const at = 'line' in goal ? sectionOfLine(sections, goal.line) : 'held' in goal ? goal.held : goal.section
    const placed = layout.placed[at]
    if (!placed || ('line' in goal && !placed.isOpen) || ('held' in goal && goal.layout === layout)) return
    wanted.current = undefined
    if ('line' in goal) scrollToShow(body.current, yOfLine(layout, goal.line, heights), heights.head)
    else scrollToShow(body.current, placed.top, undefined)
    if ('section' in goal) focusHead(body.current, goal.section)
  })
  return useCallback((goal: Goal): void => {
    wanted.current = goal
    askAgain((count) => count + 1)
  }, [])
}

/** A line that the address names is shown when the page opens, and when somebody goes there by the address. */
const useFirstLine = (line: number | undefined, goal: (goal: Goal) => void): void => {
  useEffect(() => {
    if (line !== undefined) goal({ line: line - 1 })
  }, [line, goal])
}

/** Where a resource's line sticks: below the bar with the field. */
const stuckAt = (body: HTMLElement): number => pixels(body, '--plan-stuck')

const pixels = (element: HTMLElement | null, name: string): number =>
  (element && Number.parseFloat(getComputedStyle(element).getPropertyValue(name))) || 0

const measure = (body: HTMLElement | null, was: Heights): Heights => {
  if (!body) return was
  const head = pixels(body, '--plan-head') || was.head
  return head === was.head ? was : { ...was, head }
}

/** A line that is in view already stays where it is; a section goes to the top. */
const scrollToShow = (body: HTMLElement, y: number, head: number | undefined): void => {
  const top = body.getBoundingClientRect().top + y
  const stuck = stuckAt(body) + (head ?? 0)
  if (head !== undefined && top >= stuck && top <= innerHeight - 40) return
  scrollTo({ top: scrollY + top - stuck - (head === undefined ? 0 : innerHeight / 4) })
}

/** It may not be drawn before the page has been scrolled to it. */
const focusHead = (body: HTMLElement, section: number): void => {
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      body.querySelector<HTMLElement>(`[data-section="${section}"] button`)?.focus({ preventScroll: true }),
    ),
  )
}
