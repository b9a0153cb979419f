/** Milliseconds since 1970. */
export type Span = { from: number; to: number }

/** A stretch of the axis; `left` and `width` are parts of 1. Idle ones are as narrow as they may be. */
export type Piece = Span & { left: number; width: number; is: 'busy' | 'idle' | 'ahead' }

export type Axis = { pieces: readonly Piece[]; from: number; to: number }

/** Time in which nothing moves is folded when there is more of it. */
const longestIdle = 60_000

/** How wide folded time is, and all of it at most; and the time ahead of now. */
const idleWidth = 0.04
const idleMost = 0.3
const aheadWidth = 0.18

/** Behind the last moment, as a part of the time before it: what became of a stack is said behind its bar. */
const endRoom = 0.2

/** Times that overlap, or between which there is little, as one. */
const merged = (spans: readonly Span[]): Span[] => {
  const all: Span[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && from - last.to <= longestIdle) last.to = Math.max(last.to, to)
    else all.push({ from, to })
  }
  return all
}

/** The next of 1, 2 and 5 times a power of ten. */
const rounded = (ms: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, ms)))
  return ([1, 2, 5].find((digit) => digit * power >= ms) ?? 10) * power
}

/**
 * The axis of a run on which something was under way in these times. While the run moves the axis has some room ahead, which is used
 * up before anything is moved: else every bar would have to be drawn again each second. Deadlines have a stretch of their own,
 * which is not to scale.
 */
export const axisOf = (spans: readonly Span[], now: number | undefined, deadlines: readonly number[] = []): Axis => {
  const busy = merged(now === undefined ? spans : [...spans, { from: now, to: now }])
  const last = busy.at(-1)
  if (!last) return { pieces: [], from: 0, to: 0 }
  const total = busy.reduce((sum, { from, to }) => sum + to - from, 0)
  if (now !== undefined) {
    const step = rounded(Math.max(total / 10, 2000))
    last.to = last.from + Math.ceil((last.to - last.from + 1) / step) * step
  }
  const isAhead = deadlines.some((at) => at > last.to)
  if (!isAhead) last.to += busy.reduce((sum, { from, to }) => sum + to - from, 0) * endRoom
  const due = Math.max(last.to, ...deadlines)
  const ahead = isAhead ? aheadWidth : 0
  const idle = busy.length === 1 ? 0 : Math.min(idleWidth, idleMost / (busy.length - 1))
  const scale =
    (1 - ahead - idle * (busy.length - 1)) /
    Math.max(
      1,
      busy.reduce((sum, { from, to }) => sum + to - from, 0),
    )
  const pieces: Piece[] = []
  let left = 0
  const add = (span: Span, width: number, is: Piece['is']): void => {
    pieces.push({ ...span, left, width, is })
    left += width
  }
  for (const [at, span] of busy.entries()) {
    const before = busy[at - 1]
    if (before) add({ from: before.to, to: span.from }, idle, 'idle')
    add({ ...span }, (span.to - span.from) * scale, 'busy')
  }
  if (ahead > 0) add({ from: last.to, to: due }, ahead, 'ahead')
  return { pieces, from: busy[0]?.from ?? 0, to: due }
}

/** Where on the axis a moment is, from 0 to 1. */
export const placeOf = ({ pieces }: Axis, at: number): number => {
  const piece = pieces.find(({ to }) => at <= to) ?? pieces.at(-1)
  if (!piece) return 0
  const part = piece.to === piece.from ? 0 : (at - piece.from) / (piece.to - piece.from)
  return Math.min(1, piece.left + Math.min(1, Math.max(0, part)) * piece.width)
}

const second = 1000
const minute = 60 * second
const steps = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * second),
  ...[1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1440].map((minutes) => minutes * minute),
]

export type Tick = { at: number; left: number; step: number }

/** Moments to name on the axis: round ones, and no two nearer to each other than `gap`. */
export const ticksOf = (axis: Axis, gap: number): Tick[] => {
  const ticks: Tick[] = []
  for (const { from, to, left, width, is } of axis.pieces) {
    if (is !== 'busy' || width === 0) continue
    const step = steps.find((one) => (one / (to - from)) * width >= gap) ?? steps.at(-1) ?? minute
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      const place = left + ((at - from) / (to - from)) * width
      if (place - (ticks.at(-1)?.left ?? -1) >= gap && place <= 1 - gap / 2) ticks.push({ at, left: place, step })
    }
  }
  return ticks
}
