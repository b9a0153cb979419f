type Box = { left: number; top: number; right: number; bottom: number }
type Size = { width: number; height: number }

/** Between what floats and what it is about, and from the edges of the window. */
const gap = 4

/**
 * Where something floats: below what it is about and in line with its left edge, above it where there is no room below, and inside
 * the window in any case.
 */
export const placeBeside = (about: Box, floating: Size, view: Size): { left: number; top: number } => {
  const left = Math.max(gap, Math.min(about.left, view.width - floating.width - gap))
  const below = about.bottom + gap
  const fits = below + floating.height <= view.height - gap
  const above = about.top - gap - floating.height
  return { left, top: fits || above < gap ? below : above }
}

/** Puts a popover that is open beside an element. */
export const floatBeside = (about: Element, floating: HTMLElement): void => {
  const view = { width: document.documentElement.clientWidth, height: document.documentElement.clientHeight }
  const { left, top } = placeBeside(about.getBoundingClientRect(), floating.getBoundingClientRect(), view)
  floating.style.left = `${left}px`
  floating.style.top = `${top}px`
}
