import { useMemo } from 'react'
import type { Dispatch } from '../../api/dispatches.ts'
import type { RunRow } from '../../api/run-types.ts'
import type { TimelineEntry } from '../../api/timeline.ts'
import { useNow } from '../../live/now.ts'
import type { RunHead } from '../../live/run-store.ts'
import { Empty } from '../../parts/feedback/Empty.tsx'
import { axisOf } from './axis.ts'
import { type Bar, barsOf, deadlinesOf, timesOf } from './bars.ts'
import { Chart } from './Chart.tsx'
import { Foot } from './Foot.tsx'
import { lanesOf } from './lanes.ts'
import { TimelineTable } from './TimelineTable.tsx'

type OverTimeProps = {
  run: RunHead
  rows: readonly RunRow[]
  /** Undefined until they are read. */
  dispatches: readonly Dispatch[] | undefined
  entries: readonly TimelineEntry[] | undefined
  /** Sorted by what; undefined for the chart. */
  table: { sort: string | undefined } | undefined
  onSort: (sort?: string) => void
}

/** The stacks over time, as a chart or as its table, and below it what runs out when. Drawn again each second while it moves. */
export const OverTime = ({ run, rows, dispatches: read, entries = none, table, onSort }: OverTimeProps) => {
  const dispatches = read ?? none
  const bars = useMemo(() => barsOf(run, rows, dispatches), [run, rows, dispatches])
  const lanes = useMemo(() => lanesOf(run, bars, dispatches, entries), [run, bars, dispatches, entries])
  const deadlines = useMemo(() => deadlinesOf(dispatches), [dispatches])
  const moment = useNow()
  const now = run.finished_at !== undefined && bars.every(hasEnded) ? undefined : moment
  const axis = useMemo(() => {
    const dues = deadlines.map(({ at }) => at)
    return axisOf(timesOf(bars, dispatches, now ?? 0), now, dues)
  }, [bars, dispatches, deadlines, now])
  return (
    <section className="box" aria-label="Stacks over time">
      <h2 className="unseen">Stacks over time</h2>
      {bars.length === 0 ? (
        <div className="box-rest">
          <Empty why="The run has no stacks yet: they come with its graph." />
        </div>
      ) : table ? (
        <TimelineTable run={run} bars={bars} sort={table.sort} onSort={onSort} />
      ) : (
        <Chart run={run} stacks={bars.length} lanes={lanes} axis={axis} now={now} deadlines={deadlines} />
      )}
      <Foot run={run} rows={rows} dispatches={read} deadlines={deadlines} axis={axis} />
    </section>
  )
}

const none: never[] = []

const hasEnded = ({ queued, job }: Bar): boolean => {
  const last = job ?? queued
  return last === undefined || last.to !== undefined
}
