import { getRouteApi } from '@tanstack/react-router'
import { readDispatches } from '../../api/dispatches.ts'
import { useLive } from '../../live/useLive.ts'
import { Problem } from '../../parts/feedback/Problem.tsx'
import { Skeleton } from '../../parts/feedback/Skeleton.tsx'
import { runPace } from '../state/run-pace.ts'
import { useRowsOfRun } from '../useRowsOfRun.ts'
import { Causes } from './Causes.tsx'
import { Legend } from './Legend.tsx'
import { OverTime } from './OverTime.tsx'
import { useTimeline } from './useTimeline.ts'
import '../../parts/box.css'
import './timeline.css'
import './causes.css'

const route = getRouteApi('/runs/$id/timeline')

type Step = {
  as?: 'table' | undefined
  order?: 'newest' | undefined
  cause?: string | undefined
  sort?: string | undefined
}

/** A bar a stack on an axis of time, and what happened by its cause. */
export const TimelineTab = () => {
  const { id } = route.useParams()
  const { as, order, cause, sort } = route.useSearch()
  const navigate = route.useNavigate()
  const { run, rows } = useRowsOfRun()
  const pace = run ? runPace(run) : 'list'
  const journal = useTimeline(id, pace)
  const dispatches = useLive({
    key: ['run-dispatches', id],
    read: (signal) => readDispatches(id, signal),
    pace,
  })
  if (!run) return <Skeleton lines={6} />
  const go = (step: Step): void =>
    void navigate({ search: (before) => ({ ...before, ...step }), replace: true, resetScroll: false })
  const entries = journal.data?.entries
  return (
    <div className="timeline">
      <div className="timeline-tools">
        <Legend />
        <button
          type="button"
          className="button button-small"
          aria-pressed={as === 'table'}
          onClick={() => go({ as: as === 'table' ? undefined : 'table' })}
        >
          As a table
        </button>
      </div>
      <OverTime
        run={run}
        rows={rows}
        dispatches={dispatches.data}
        entries={entries}
        table={as === 'table' ? { sort } : undefined}
        onSort={(next) => go({ sort: next })}
      />
      {dispatches.problem && (
        <Problem
          problem={dispatches.problem}
          what="The dispatches could not be read"
          tryAgain={dispatches.liveness.tryNow}
        />
      )}
      {journal.problem && (
        <Problem problem={journal.problem} what="What happened could not be read" tryAgain={journal.liveness.tryNow} />
      )}
      {!journal.problem && entries === undefined && <Skeleton lines={6} />}
      {entries && (
        <Causes
          entries={entries}
          isNewestFirst={order === 'newest'}
          open={cause}
          turn={(next) => go({ cause: next })}
          turnOrder={() => go({ order: order === 'newest' ? undefined : 'newest' })}
        />
      )}
    </div>
  )
}
