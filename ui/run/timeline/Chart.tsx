import { useRef } from 'react'
import type { RunHead } from '../../live/run-store.ts'
import { useNarrow } from '../../parts/useNarrow.ts'
import { many } from '../../parts/words.ts'
import { useDrawnRows } from '../../table/useDrawnRows.ts'
import { type Axis, placeOf, ticksOf } from './axis.ts'
import { clockWords, percent } from './axis-words.ts'
import type { Deadline } from './bars.ts'
import { LaneRow } from './Lane.tsx'
import type { Lane } from './lanes.ts'

type ChartProps = {
  run: RunHead
  stacks: number
  lanes: readonly Lane[]
  axis: Axis
  /** Undefined once nothing moves any more. */
  now: number | undefined
  deadlines: readonly Deadline[]
}

/** The middle of a name on the axis: near an end it keeps its letters, and not quite its place. */
const nameAt = (part: number): string => `clamp(34px, ${percent(part)}, calc(100% - 34px))`

/** Stacks over time, wave by wave. */
export const Chart = ({ run, stacks, lanes, axis, now, deadlines }: ChartProps) => {
  const body = useRef<HTMLDivElement>(null)
  const { from, to, row } = useDrawnRows(body, lanes.length)
  const gap = useNarrow() ? 0.3 : 0.12
  const ticks = ticksOf(axis, gap)
  const present = now === undefined ? undefined : placeOf(axis, now)
  // the present is named in any case: what is beside it would be written over
  const named = ticks.filter(({ left }) => present === undefined || Math.abs(left - present) >= gap)
  return (
    <div className="chart">
      <div className="chart-axis">
        <span className="lane-name quiet">{many(stacks, 'stack')}</span>
        <div className="chart-ticks" aria-hidden="true">
          {named.map(({ at, left, step }) => (
            <span key={at} className="chart-tick" style={{ left: nameAt(left) }}>
              {clockWords(at, step)}
            </span>
          ))}
          {now !== undefined && present !== undefined && (
            <b className="chart-tick chart-now" style={{ left: nameAt(present) }}>
              now {clockWords(now, 1000)}
            </b>
          )}
        </div>
      </div>
      <div className="chart-body" ref={body}>
        <Grid axis={axis} ticks={ticks.map(({ left }) => left)} now={now} deadlines={deadlines} />
        <div className="chart-lanes" style={{ paddingTop: from * row, paddingBottom: (lanes.length - to) * row }}>
          {lanes.slice(from, to).map((lane) => (
            <LaneRow key={keyOf(lane)} lane={lane} axis={axis} now={now ?? axis.to} runId={run.id} mode={run.mode} />
          ))}
        </div>
      </div>
    </div>
  )
}

const keyOf = (lane: Lane): string => {
  if (lane.is === 'wave') return `wave ${lane.wave}`
  return lane.is === 'dispatch' ? lane.dispatch.id : `stack ${lane.bar.key}`
}

type GridProps = { axis: Axis; ticks: number[]; now: number | undefined; deadlines: readonly Deadline[] }

/** Behind the lanes: round moments, folded time, what is ahead, and deadlines there. */
const Grid = ({ axis, ticks, now, deadlines }: GridProps) => (
  <svg className="chart-grid" aria-hidden="true">
    <defs>
      <pattern id="chart-ahead" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
        <path d="M0 0h9" className="chart-hatch" />
      </pattern>
      <pattern id="lane-stripes" width="7" height="7" patternUnits="userSpaceOnUse">
        <rect width="4" height="7" className="lane-stripe" />
      </pattern>
    </defs>
    {ticks.map((left) => (
      <line key={left} className="chart-line" x1={percent(left)} x2={percent(left)} y1="0" y2="100%" />
    ))}
    {axis.pieces.map(
      ({ is, from, left, width }) =>
        is === 'idle' && (
          <rect key={from} className="chart-idle" x={percent(left)} width={percent(width)} height="100%" />
        ),
    )}
    {now !== undefined && (
      <>
        <rect
          fill="url(#chart-ahead)"
          x={percent(placeOf(axis, now))}
          width={percent(1 - placeOf(axis, now))}
          height="100%"
        />
        <line
          className="chart-now-line"
          x1={percent(placeOf(axis, now))}
          x2={percent(placeOf(axis, now))}
          y1="0"
          y2="100%"
        />
      </>
    )}
    {deadlines.map(({ at, of, words }) => (
      <line
        key={`${of.id} ${words}`}
        className="chart-deadline"
        x1={percent(Math.min(0.995, placeOf(axis, at)))}
        x2={percent(Math.min(0.995, placeOf(axis, at)))}
        y1="0"
        y2="100%"
      />
    ))}
  </svg>
)
