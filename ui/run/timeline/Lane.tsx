import { Link } from '@tanstack/react-router'
import { Outside } from '../../parts/text/Outside.tsx'
import { Duration } from '../../parts/text/Time.tsx'
import { StatusIconOf } from '../../status/Status.tsx'
import { looks, stackLook } from '../../status/table.ts'
import { type Axis, placeOf } from './axis.ts'
import { percent } from './axis-words.ts'
import { type Bar, dispatchName, type Mark, type Stretch } from './bars.ts'
import type { Lane } from './lanes.ts'

type LaneProps = { lane: Lane; axis: Axis; now: number; runId: string; mode: 'plan' | 'apply' | 'drift' }

/** One line of the chart: what it is of, and its time. */
export const LaneRow = ({ lane, axis, now, runId, mode }: LaneProps) => {
  if (lane.is === 'wave') return <h3 className="lane-wave">{lane.words}</h3>
  if (lane.is === 'dispatch') {
    const { dispatch, marks } = lane
    return (
      <div className="lane">
        <span className="lane-name quiet">
          {dispatch.workflow_run ? (
            <Outside href={dispatch.workflow_run.url}>{dispatchName(dispatch)}</Outside>
          ) : (
            dispatchName(dispatch)
          )}
        </span>
        <span className="lane-words quiet">{looks.dispatch[dispatch.state].word}</span>
        <svg className="lane-time" aria-hidden="true">
          {marks.map((mark, at) => (
            <MarkAt
              key={`${mark.is} ${mark.at}`}
              mark={mark}
              left={placeOf(axis, mark.at)}
              next={placeNext(axis, marks, at)}
            />
          ))}
        </svg>
      </div>
    )
  }
  return <StackLane bar={lane.bar} axis={axis} now={now} runId={runId} mode={mode} />
}

const placeNext = (axis: Axis, marks: readonly Mark[], at: number): number => {
  const next = marks[at + 1]
  return next === undefined ? 1 : placeOf(axis, next.at)
}

const StackLane = ({ bar, axis, now, runId, mode }: Omit<LaneProps, 'lane'> & { bar: Bar }) => {
  const { key, status, queued, job } = bar
  const look = stackLook(status, mode)
  return (
    <div className="lane">
      <span className="lane-name">
        <StatusIconOf look={look} title={look.word} />
        <Link to="/runs/$id/stacks/$key" params={{ id: runId, key }}>
          {key}
        </Link>
      </span>
      <span className="lane-words quiet">
        <Words bar={bar} />
      </span>
      <svg className="lane-time" aria-hidden="true" data-tone={look.tone}>
        {queued && <line className="lane-queued" {...ends(axis, queued, now)} y1="50%" y2="50%" />}
        {job && (
          <rect
            className="lane-bar"
            fill={look.pattern === 'stripes' ? 'url(#lane-stripes)' : undefined}
            data-pattern={look.pattern}
            x={percent(placeOf(axis, job.from))}
            width={percent(Math.max(0.002, placeOf(axis, job.to ?? now) - placeOf(axis, job.from)))}
          />
        )}
        <text {...placeOfWords(axis, bar, now)} dy="0.35em" y="50%">
          <Words bar={bar} />
        </text>
      </svg>
    </div>
  )
}

/** Behind the bar: the axis keeps room for them. */
const placeOfWords = (axis: Axis, { queued, job }: Bar, now: number) => {
  const end = job ?? queued
  return { x: end ? percent(placeOf(axis, end.to ?? now)) : '0', dx: 6 }
}

const ends = (axis: Axis, { from, to }: Stretch, now: number) => ({
  x1: percent(placeOf(axis, from)),
  x2: percent(placeOf(axis, to ?? now)),
})

/** What became of a stack, or how long it has taken so far. */
const Words = ({ bar: { note, job, queued } }: { bar: Bar }) => {
  if (note !== '') return note
  const open = job ?? queued
  if (!open || open.to !== undefined) return null
  return (
    <>
      {!job && 'queued for '}
      <Duration from={new Date(open.from).toISOString()} />
      {job && ' so far'}
    </>
  )
}

export const markIcons: Record<Mark['is'], string> = {
  sent: 'M2 8h9M8 4.5 11.5 8 8 11.5M14 3v10',
  bound: 'M6.5 9.5l3-3M5 7 3.5 8.5a2.8 2.8 0 0 0 4 4L9 11M11 9l1.5-1.5a2.8 2.8 0 0 0-4-4L7 5',
  completed: 'm3 8.5 3.2 3.2L13 4.8',
  lost: 'm4 4 8 8m0-8-8 8',
  refused: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8M3.8 3.8l8.4 8.4',
}

/** Its words only where there is room before the next one. */
const MarkAt = ({ mark, left, next }: { mark: Mark; left: number; next: number }) => (
  <svg x={percent(left)} y="4" className="lane-mark" data-is={mark.is} overflow="visible">
    <title>{mark.words}</title>
    <path d={markIcons[mark.is]} transform="translate(-8 0)" />
    {next - left > 0.13 && (
      <text x="12" y="12">
        {mark.words}
      </text>
    )}
  </svg>
)
